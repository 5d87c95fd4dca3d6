import type { FhirJson, JsonValue } from "../fhir/index.ts";

/** The steps of a JSON Pointer (RFC 6901), unescaped; none for the whole document. */
export type JsonPointer = readonly string[];

/** An object or array with the step to something in it, which may not be there yet. */
export interface Place {
  readonly container: FhirJson | JsonValue[];
  readonly step: string;
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** Reads a pointer; undefined when the text is none. */
export function parsePointer(text: JsonValue): JsonPointer | undefined {
  if (typeof text !== "string" || (text !== "" && !text.startsWith("/")) || /~(?![01])/.test(text)) {
    return undefined;
  }
  return text
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Where a pointer leads: its container must be there; undefined when it is not. */
export function placeOf(document: JsonValue, pointer: JsonPointer): Place | undefined {
  const step = pointer.at(-1);
  if (step === undefined) return undefined;
  let container = document;
  for (const one of pointer.slice(0, -1))
    container = isContainer(container) ? childOf(container, one) : undefined;
  return isContainer(container) ? { container, step } : undefined;
}

/** What stands at a place; undefined when nothing does. */
export function valueAt({ container, step }: Place): JsonValue {
  return childOf(container, step);
}

/** The index that a step names in an array, up to one past its end for `-`; undefined when it names none. */
export function indexOf(list: readonly JsonValue[], step: string): number | undefined {
  if (step === "-") return list.length;
  return INDEX.test(step) && Number(step) <= list.length ? Number(step) : undefined;
}

function childOf(container: FhirJson | JsonValue[], step: string): JsonValue {
  if (!Array.isArray(container)) return Object.hasOwn(container, step) ? container[step] : undefined;
  return INDEX.test(step) ? container[Number(step)] : undefined;
}

/** Numbers that are kept as text are objects, too, but hold nothing. */
function isContainer(value: JsonValue): value is FhirJson | JsonValue[] {
  return typeof value === "object" && value !== null && !JSON.isRawJSON(value);
}
