import type { FhirJson } from "../fhir/index.ts";
import type { Definition } from "./definition.ts";
import changeAuthor from "./ee-mpi-change-author.json" with { type: "json" };
import patient from "./ee-mpi-patient.json" with { type: "json" };
import newborn from "./ee-mpi-patient-newborn.json" with { type: "json" };
import stillborn from "./ee-mpi-patient-stillborn.json" with { type: "json" };
import unknown from "./ee-mpi-patient-unknown.json" with { type: "json" };
import verified from "./ee-mpi-patient-verified.json" with { type: "json" };
import relatedPerson from "./ee-mpi-related-person.json" with { type: "json" };
import maritalStatus from "./ee-mpi-socialhistory-marital-status.json" with { type: "json" };

/** A FHIR R5 StructureDefinition of ours, as it is served. */
export interface StructureDefinition {
  readonly resourceType: "StructureDefinition" | (string & {});
  readonly id: string;
  readonly url: string;
  readonly version: string;
  readonly abstract: boolean;
  readonly type: string;
  readonly baseDefinition: string;
  readonly differential: { readonly element: readonly ElementDefinition[] };
}

/** What a profile says of an element, as far as ours say it. */
export interface ElementDefinition {
  readonly id: string;
  readonly path: string;
  readonly sliceName?: string;
  readonly short?: string;
  readonly comment?: string;
  readonly min?: number;
  readonly max?: string;
  readonly type?: readonly { readonly code: string }[];
  readonly patternCode?: string;
  readonly patternCodeableConcept?: object;
  readonly constraint?: readonly ElementConstraint[];
}

/** A rule in words, and in FHIRPath where that can say it. */
export interface ElementConstraint {
  readonly key: string;
  readonly severity: string;
  readonly human: string;
  readonly expression?: string;
}

/** The StructureDefinitions that the index serves, by id: the last segment of their canonical URL. */
export const structureDefinitions: ReadonlyMap<string, StructureDefinition> = new Map(
  [patient, verified, unknown, newborn, stillborn, relatedPerson, maritalStatus, changeAuthor].map(
    (definition: StructureDefinition) => [definition.id, definition],
  ),
);

/** The same, ready to be served. */
export const servedStructures: readonly Definition[] = [...structureDefinitions.values()].map(
  (definition) => {
    const { id, url, type } = definition;
    const json = definition as unknown as FhirJson;
    return { id, json, criteria: { _id: [id], url: [url], type: [type] } };
  },
);
