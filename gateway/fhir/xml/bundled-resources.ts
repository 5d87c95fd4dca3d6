import type { Fault } from "../../../src/errors/index.ts";
import { type FhirElement, type FhirType, fhirType } from "../fhir-types.ts";
import { Walk } from "../walk.ts";

/** By the JSON that the resource became. */
const found = new WeakMap<object, readonly Fault[]>();

/** Whether it holds the resource of an entry of a Bundle: the body of a request of its own. */
export function isBundled(element: FhirElement): boolean {
  return element === fhirType("Bundle.entry").elements.get("resource");
}

/** A walk of its own through such a resource: what is wrong with it is no fault of the Bundle that it came in. */
export function walkOfBundled(type: FhirType, json: object): Walk {
  const walk = new Walk(type.name);
  found.set(json, walk.faults);
  return walk;
}

/** What such a walk found; nothing of a resource that did not come in the XML of a Bundle. */
export function bundledFaults(json: object): readonly Fault[] {
  return found.get(json) ?? [];
}
