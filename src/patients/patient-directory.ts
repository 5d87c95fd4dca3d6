import type { PatientDirectory } from "../dependents/index.ts";
import { identifiersOfPersons } from "./identifiers-of-person.ts";
import type { PatientStore } from "./ports.ts";

/** Patients as their dependents see them. */
export function patientDirectory(store: PatientStore): PatientDirectory {
  return {
    identifiersOfPersons: (ids) => identifiersOfPersons(store, ids),
    exists: (id) => store.exists(id),
    holders: (identifiers) => store.holders(identifiers),
    group: (id) => store.group(id),
  };
}
