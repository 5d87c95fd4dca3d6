import type { PatientDirectory } from "../dependents/index.ts";
import { identifiersOfPerson } from "./identifiers-of-person.ts";
import type { PatientStore } from "./ports.ts";

/** Patients as their dependents see them. */
export function patientDirectory(store: PatientStore): PatientDirectory {
  return {
    async identifiersOfPerson(id) {
      const stored = await store.read(id);
      return stored && (await identifiersOfPerson(store, stored));
    },
    exists: (id) => store.exists(id),
    holders: (identifiers) => store.holders(identifiers),
    group: (id) => store.group(id),
  };
}
