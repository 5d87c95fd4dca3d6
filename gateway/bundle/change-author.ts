import type { Author } from "#proto/patientindex/v1/author_pb.ts";
import type { FhirJson } from "../fhir/index.ts";

const CHANGE_AUTHOR = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-change-author";
const PERSONAL_CODE = "https://fhir.ee/sid/pid/est/ni";
const REGISTRY_CODE = "https://fhir.ee/sid/org/est/br";

/** The extension ee-mpi-change-author: FHIR has no place for the author on an entry of a history. */
export function changeAuthor({ personalCode, organization, role, reason, register }: Author): FhirJson {
  const parts = [
    ["person", "valueIdentifier", personalCode && { system: PERSONAL_CODE, value: personalCode }],
    ["organization", "valueIdentifier", organization && { system: REGISTRY_CODE, value: organization }],
    ["role", "valueCode", role],
    ["reason", "valueString", reason],
    ["register", "valueUri", register],
  ] as const;
  return {
    url: CHANGE_AUTHOR,
    extension: parts.flatMap(([url, type, value]) => (value === "" ? [] : [{ url, [type]: value }])),
  };
}
