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
import { registerProfiles } from "./register-profiles.ts";
import type { StructureDefinition } from "./structure-definition.ts";

/** The StructureDefinitions of what is stored, by id: the last segment of their canonical URL. */
export const structureDefinitions: ReadonlyMap<string, StructureDefinition> = new Map(
  [patient, verified, unknown, newborn, stillborn, relatedPerson, maritalStatus, changeAuthor].map(
    (definition: StructureDefinition) => [definition.id, definition],
  ),
);

/** All of ours, ready to be served. */
export const servedStructures: readonly Definition[] = [
  ...structureDefinitions.values(),
  ...registerProfiles,
].map((definition) => {
  const { id, url, type } = definition;
  const json = definition as unknown as FhirJson;
  return { id, json, criteria: { _id: [id], url: [url], type: [type] } };
});
