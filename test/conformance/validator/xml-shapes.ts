import { observationXml, patientXml, type Shape } from "./shape.ts";

type Case = readonly [name: string, about: string, body: string | Uint8Array];

const HEADER = '<?xml version="1.0" encoding="UTF-8"?>';
const NARRATIVE = "http://www.w3.org/1999/xhtml";
const MARK = new Uint8Array([0xef, 0xbb, 0xbf]);

const narrative = (div: string) => patientXml(`<text><status value="generated"/>${div}</text>`);
const named = '<name><family value="Õunapuu"/></name>';

const valid: readonly Case[] = [
  [
    "patient-good",
    "a patient",
    patientXml('<active value="true"/><gender value="female"/><birthDate value="1971-04-05"/>'),
  ],
  ["list-minimal", "as little as the type demands", patientXml('<id value="p1"/>')],
  [
    "list-extension",
    "extensions of a resource and of a primitive",
    patientXml(
      '<extension url="urn:x"><valueCode value="y"/></extension><active value="true"><extension url="urn:z"><valueBoolean value="true"/></extension></active>',
    ),
  ],
  [
    "list-contained",
    "a contained resource that is referred to",
    patientXml(
      '<contained><Organization><id value="org"/><name value="Clinic"/></Organization></contained><managingOrganization><reference value="#org"/></managingOrganization>',
    ),
  ],
  [
    "group-choice-good",
    "a choice with a value of one of its types",
    patientXml('<deceasedBoolean value="false"/>'),
  ],
  [
    "list-xhtml-correct1",
    "a narrative",
    narrative(`<div xmlns="${NARRATIVE}"><p>Mari <b>Kask</b></p></div>`),
  ],
  [
    "list-xhtml-correct2",
    "a narrative with a prefix",
    narrative(`<h:div xmlns:h="${NARRATIVE}"><h:p>Mari</h:p></h:div>`),
  ],
  [
    "patient-extension-simple",
    "an extension with a value",
    patientXml('<extension url="http://example.org/a"><valueString value="x"/></extension>'),
  ],
  [
    "patient-extension-complex",
    "an extension of extensions",
    patientXml(
      '<extension url="http://example.org/a"><extension url="b"><valueString value="x"/></extension></extension>',
    ),
  ],
  ["reference-good", "a reference", observationXml('<subject><reference value="Patient/kask"/></subject>')],
  [
    "reference-good-typed",
    "a reference with its type",
    observationXml('<subject><reference value="Patient/kask"/><type value="Patient"/></subject>'),
  ],
  [
    "reference-good-logical",
    "a reference by identifier",
    observationXml('<subject><type value="Patient"/><identifier><value value="7"/></identifier></subject>'),
  ],
  [
    "observation-bp",
    "an observation of components",
    observationXml(
      '<component><code><text value="a"/></code><valueQuantity><value value="107.0"/></valueQuantity></component>',
    ),
  ],
  ["xml_UTF8_noheader_nobom", "no declaration", patientXml(named)],
  ["xml_UTF8_noheader_bom", "a byte order mark", Buffer.concat([MARK, Buffer.from(patientXml(named))])],
  ["xml_UTF8_header_nobom", "a declaration", patientXml(named, HEADER)],
  ["xml_UTF8_header_bom", "both", Buffer.concat([MARK, Buffer.from(patientXml(named, HEADER))])],
];

const invalid: readonly Case[] = [
  [
    "list-bad-syntax",
    "an element that is not closed",
    '<Patient xmlns="http://hl7.org/fhir"><id value="p1"></Patient>',
  ],
  ["list-empty1", "an element without content", patientXml("<contact/>")],
  ["list-empty2", "another one", patientXml('<active value="true"/><contact></contact>')],
  [
    "group-choice-empty",
    "an element without content in an element",
    patientXml("<contact><name/></contact>"),
  ],
  ["list-text", "text in an element", patientXml('<id value="p1">x</id>')],
  [
    "list-unknown-attr",
    "an attribute that the element does not have",
    patientXml('<id value="p1" other="x"/>'),
  ],
  ["list-unknown-element", "an element that the type does not have", patientXml('<mode1 value="x"/>')],
  [
    "list-wrong-ns",
    "a resource of another namespace",
    '<Patient xmlns="http://hl7.org/fhir1"><id value="p1"/></Patient>',
  ],
  [
    "list-wrong-ns1",
    "an element of another namespace",
    patientXml('<id xmlns="http://hl7.org/fhir1" value="p1"/>'),
  ],
  ["list-wrong-ns2", "an element of no namespace", patientXml('<id xmlns="" value="p1"/>')],
  [
    "list-wrong-order",
    "elements in another order",
    patientXml('<gender value="female"/><active value="true"/>'),
  ],
  [
    "reference-bad-logical",
    "elements of a reference in another order",
    observationXml('<subject><identifier><value value="7"/></identifier><type value="Patient"/></subject>'),
  ],
  ["group-choice-bad1", "a choice without its type", patientXml('<deceased value="true"/>')],
  ["group-choice-bad3", "a boolean that is none", patientXml('<deceasedBoolean value="True"/>')],
  [
    "list-xhtml-wrongns1",
    "a narrative of another namespace",
    narrative(`<div xmlns="${NARRATIVE}x"><p>Mari</p></div>`),
  ],
  ["list-xhtml-wrongns3", "a narrative of FHIR's namespace", narrative("<div><p>Mari</p></div>")],
  [
    "list-xhtml-xxe1",
    "a document type before the resource",
    patientXml(undefined, '<!DOCTYPE Patient [<!ENTITY e "x">]>'),
  ],
  [
    "list-xhtml-xxe2",
    "a document type in the narrative",
    narrative(`<!DOCTYPE div [<!ENTITY e "x">]><div xmlns="${NARRATIVE}">&e;</div>`),
  ],
  [
    "patient-extension-bad2",
    "an extension with an empty URL",
    patientXml('<extension url=""><valueString value="x"/></extension>'),
  ],
  [
    "patient-extension-bad3",
    "an extension without a URL",
    patientXml('<extension><valueString value="x"/></extension>'),
  ],
  [
    "pat-security-bad-string2",
    "an element inside of a text",
    patientXml('<name><text value="x"><script/></text></name>'),
  ],
  [
    "japanese-utf8",
    "a character that XML does not have",
    patientXml('<name><text value="a\u000bb"/></name>'),
  ],
  ["xml_v10", "a reference to such a character", patientXml('<name><text value="a&#11;b"/></name>')],
  [
    "xml_UTF8_headerbad_nobom",
    "UTF-8 that says it is UTF-16",
    patientXml(named, '<?xml version="1.0" encoding="UTF-16"?>'),
  ],
  ["xml_UTF16_noheader_bom", "UTF-16", Buffer.from(`\ufeff${patientXml(named)}`, "utf16le")],
];

const asShape =
  (isValid: boolean) =>
  ([name, about, body]: Case): Shape => ({ name, format: "xml", about, isValid, body });

/** The cases whose files are XML. */
export const xmlShapes: readonly Shape[] = [...valid.map(asShape(true)), ...invalid.map(asShape(false))];
