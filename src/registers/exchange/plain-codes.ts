import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";

/** The fields that hold codes, by their names in the messages of all registers. */
const CODES: ReadonlySet<string> = new Set([
  "adrId",
  "adsOid",
  "code",
  "degree",
  "ehak",
  "objectType",
  "occupationCode",
  "personalCode",
  "registryCode",
  "type",
]);

/**
 * Takes the blanks out of the codes of an answer that no code of FHIR has. What a register that pads its columns says would else
 * be shown by one operation and passed over by another, which compares it, and a patient with such a code could not be put
 * back. It is done in the answer itself.
 */
export function plainCodes<Schema extends DescMessage>(schema: Schema, answer: MessageShape<Schema>): void {
  makePlain(reflect(schema, answer));
}

/** A code without the blanks that none of FHIR has; empty where nothing else is there. */
export function plainCode(code: string): string {
  return code.trim().replace(/\s+/g, " ");
}

function makePlain(message: ReflectMessage): void {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (field.fieldKind === "scalar" && CODES.has(field.localName)) {
      message.set(field, plainCode(String(message.get(field))));
    } else if (field.fieldKind === "message") {
      makePlain(message.get(field));
    } else if (field.fieldKind === "list" && field.listKind === "message") {
      for (const one of message.get(field)) makePlain(one as ReflectMessage);
    }
  }
}
