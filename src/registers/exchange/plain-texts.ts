import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectList, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";

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
 * Takes the blanks from round the texts of an answer, and what no code of FHIR has out of its codes. What a register that
 * pads its columns says would else be shown by one operation and passed over by another, which compares it; a patient
 * with such a code could not be put back, and a name whose blanks went would be a new one. It is done in the answer itself.
 */
export function plainTexts<Schema extends DescMessage>(schema: Schema, answer: MessageShape<Schema>): void {
  makePlain(reflect(schema, answer));
}

/** A code without the blanks that none of FHIR has; empty where nothing else is there. */
export function plainCode(code: string): string {
  return code.trim().replace(/\s+/g, " ");
}

function makePlain(message: ReflectMessage): void {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (field.fieldKind === "message") makePlain(message.get(field));
    else if (field.fieldKind === "list") makeAllPlain(message.get(field));
    else {
      const value: unknown = message.get(field);
      if (typeof value === "string") message.set(field, plainText(field.localName, value));
    }
  }
}

function makeAllPlain(list: ReflectList): void {
  for (const [index, one] of [...list].entries()) {
    if (isReflectMessage(one)) makePlain(one);
    else if (typeof one === "string") list.set(index, one.trim());
  }
}

function plainText(name: string, value: string): string {
  return CODES.has(name) ? plainCode(value) : value.trim();
}
