import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { XmlDocument, XmlValidateError, XsdValidator } from "libxml2-wasm";
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs";

const folder = dirname(createRequire(import.meta.url).resolve("hl7.fhir.r5.core/package.json"));
let validator: XsdValidator | undefined;

/** What libxml2 finds wrong with a text by the official XML schema of R5. */
export function schemaFaults(xml: string): string[] {
  validator ??= loadSchema();
  const document = XmlDocument.fromString(xml);
  try {
    validator.validate(document);
    return [];
  } catch (error) {
    if (error instanceof XmlValidateError) return error.details.map(({ message }) => message);
    throw error;
  } finally {
    document.dispose();
  }
}

function loadSchema(): XsdValidator {
  xmlRegisterFsInputProviders();
  const url = join(folder, "xml", "fhir-single.xsd");
  const document = XmlDocument.fromBuffer(readFileSync(url), { url });
  const schema = XsdValidator.fromDoc(document);
  document.dispose();
  return schema;
}
