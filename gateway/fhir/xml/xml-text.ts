/** The namespaces of FHIR XML. */
export const FHIR_NAMESPACE = "http://hl7.org/fhir";
export const XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml";

/**
 * What XML 1.0 cannot hold, not even as a character reference (XML, 2.2), halves of surrogate pairs included; nor do the
 * strings of FHIR hold any of it but U+FFFE and U+FFFF.
 */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // Readers make spaces of them when they stand for themselves in an attribute.
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;",
};

/** The text of an attribute, between double quotation marks; what XML cannot hold is shown as U+FFFD. */
export function attributeText(value: string): string {
  return representable(value).replace(/[&<>"\t\n\r]/g, reference);
}

/** Text between tags. */
export function contentText(value: string): string {
  return representable(value).replace(/[&<>\r]/g, reference);
}

/** The text as XML and FHIR can hold it: U+FFFD for what they cannot. */
export function representable(value: string): string {
  return value.replace(FORBIDDEN, "\ufffd");
}

function reference(character: string): string {
  return REFERENCES[character] ?? character;
}
