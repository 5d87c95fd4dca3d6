import type { Message } from "@bufbuild/protobuf";
import boundCodes from "./bound-codes.json" with { type: "json" };
import type { Report } from "./report.ts";
import { anyMessage, belowResource, visitMessages } from "./visit-messages.ts";

type Codes = ReadonlySet<string>;
type BoundElements = readonly (readonly [name: string, codes: Codes])[];

/** Codes that are refused under codes of errors of their own, by the path below the resource. */
const REFUSED_ELSEWHERE: ReadonlySet<string> = new Set([
  "gender",
  "telecom.system",
  "telecom.use",
  "address.use",
  "address.type",
  "status",
]);

/** More are not told. */
const MOST_TOLD = 40;

const byMessage: ReadonlyMap<string, BoundElements> = new Map(
  Object.entries(boundCodes).map(([name, elements]) => [
    name,
    Object.entries(elements).map(([element, codes]) => [element, new Set(codes.split(" "))] as const),
  ]),
);
const byTypeName = new Map<string, BoundElements>();

/** Whether an element of a message has a code that R5 does not have there. */
export function hasForeignCode(message: Message): boolean {
  for (const [name, codes] of boundElementsOf(message)) if (isForeign(message, name, codes)) return true;
  return false;
}

/**
 * Refuses codes that R5 does not have where it binds an element to codes of its own (MPI-096): whoever reads FHIR into
 * a model of R5, as HAPI does, could not read them, nor the Bundle that they are in.
 */
export function checkBoundCodes(stored: Message, root: string, report: Report): void {
  if (!anyMessage(stored, hasForeignCode)) return;
  visitMessages(stored, root, (message, path) => {
    for (const bound of boundElementsOf(message)) {
      const [name, codes] = bound;
      const element = `${path}.${name}`;
      if (REFUSED_ELSEWHERE.has(belowResource(element))) continue;
      for (const place of foreignPlaces(message, bound)) {
        const expression = `${element}${place}`;
        report("VALUE_NOT_ALLOWED", { element: expression, allowed: told(codes) }, expression);
      }
    }
  });
}

/** Asked of every element of every patient, so nothing is made for it. */
function isForeign(message: Message, name: string, codes: Codes): boolean {
  const value = (message as unknown as Readonly<Record<string, unknown>>)[name];
  if (value === undefined) return false;
  return Array.isArray(value) ? value.some((code) => isOutside(code, codes)) : isOutside(value, codes);
}

function isOutside(code: unknown, codes: Codes): boolean {
  return typeof code === "string" && code !== "" && !codes.has(code);
}

/** Where in a message the wrong codes of an element are: an index where it repeats, nothing where it does not. */
function foreignPlaces(message: Message, [name, codes]: BoundElements[number]): string[] {
  const value = (message as unknown as Readonly<Record<string, unknown>>)[name];
  if (!Array.isArray(value)) return isOutside(value, codes) ? [""] : [];
  return value.flatMap((code: unknown, index) => (isOutside(code, codes) ? [`[${index}]`] : []));
}

function boundElementsOf({ $typeName }: Message): BoundElements {
  let known = byTypeName.get($typeName);
  if (known === undefined) {
    const name = $typeName.replace(/^patientindex\.v1\.(?:ContainedResource\.)?/, "");
    known = byMessage.get(name) ?? [];
    byTypeName.set($typeName, known);
  }
  return known;
}

function told(codes: Codes): string {
  const shown = [...codes].slice(0, MOST_TOLD).join(", ");
  return codes.size > MOST_TOLD ? `${shown} …` : shown;
}
