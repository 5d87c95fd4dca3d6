import type { FhirJson } from "../fhir/index.ts";

/** A Bundle.link: its relation and where it leads. */
export type Link = readonly [relation: "self" | "first" | "previous" | "next" | "last", url: string];

export function linksJson(links: readonly Link[]): FhirJson[] {
  return links.map(([relation, url]) => ({ relation, url }));
}
