import type { FhirJson } from "../fhir/index.ts";

/** A definition that is served: of a structure, an operation, a search parameter. */
export interface Definition {
  readonly id: string;
  readonly json: FhirJson;
  /** Its values of the parameters that it may be searched by. */
  readonly criteria: Readonly<Record<string, readonly string[]>>;
}

/** Version of what is defined here: that of the current contract. */
export const DEFINITION_VERSION = "1.5.0";

/** Canonical URL of a definition of ours. */
export function canonical(type: string, id: string): string {
  return `https://fhir.ee/mpi/${type}/${id}`;
}

/** A name that code can be generated with: Patient-legal-status is PatientLegalStatus. */
export function nameOf(id: string): string {
  return id.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_all, first: string) => first.toUpperCase());
}
