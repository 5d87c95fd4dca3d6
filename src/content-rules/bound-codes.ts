import type { Message } from "@bufbuild/protobuf";
import boundCodes from "./bound-codes.json" with { type: "json" };
import type { Report } from "./report.ts";
import { isMessage, visitMessages } from "./visit-messages.ts";

type Codes = readonly string[];
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
    Object.entries(elements).map(([element, codes]) => [element, codes.split(" ")] as const),
  ]),
);
const byTypeName = new Map<string, BoundElements>();

/** Whether a code stands anywhere in a message that R5 does not have there: hardly ever, and then it is looked for where. */
export function hasForeignCode(message: object): boolean {
  if (Array.isArray(message)) return message.some((item) => isObject(item) && hasForeignCode(item));
  for (const name in message) {
    const value = (message as Readonly<Record<string, unknown>>)[name];
    if (isObject(value) && hasForeignCode(value)) return true;
  }
  return (
    isMessage(message) && boundElementsOf(message).some((bound) => foreignPlaces(message, bound).length > 0)
  );
}

/**
 * Refuses codes that R5 does not have where it binds an element to codes of its own (MPI-096): whoever reads FHIR into
 * a model of R5, as HAPI does, could not read them, nor the Bundle that they are in.
 */
export function checkBoundCodes(stored: Message, root: string, report: Report): void {
  if (!hasForeignCode(stored)) return;
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

/** Where in a message the wrong codes of an element are: an index where it repeats, nothing where it does not. */
function foreignPlaces(message: Message, [name, codes]: BoundElements[number]): string[] {
  const value = (message as unknown as Readonly<Record<string, unknown>>)[name];
  const isForeign = (code: unknown) => typeof code === "string" && code !== "" && !codes.includes(code);
  if (!Array.isArray(value)) return isForeign(value) ? [""] : [];
  return value.flatMap((code: unknown, index) => (isForeign(code) ? [`[${index}]`] : []));
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

function belowResource(path: string): string {
  return path.slice(path.indexOf(".") + 1).replace(/\[\d+\]/g, "");
}

function told(codes: Codes): string {
  return codes.length > MOST_TOLD ? `${codes.slice(0, MOST_TOLD).join(", ")} …` : codes.join(", ");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
}
