import type { Fault } from "../../../src/errors/index.ts";
import { type FhirElement, type FhirType, fhirType } from "../fhir-types.ts";
import { Walk } from "../walk.ts";

/** Types with an element `resource` that is a body of its own: of a request, or what an operation is about. */
const HOLDERS = ["Bundle.entry", "Parameters.parameter"];

/** By the JSON that the resource became. */
const found = new WeakMap<object, readonly Fault[]>();

export function isNestedBody(element: FhirElement): boolean {
  return HOLDERS.some((type) => element === fhirType(type).elements.get("resource"));
}

/** A walk of its own through a nested body: what is wrong with it is no fault of what it came in. */
export function walkOfNested(type: FhirType, json: object): Walk {
  const walk = new Walk(type.name);
  found.set(json, walk.faults);
  return walk;
}

/** What such a walk found; nothing of a resource that was no nested body, or did not come in XML. */
export function nestedFaults(json: object): readonly Fault[] {
  return found.get(json) ?? [];
}
