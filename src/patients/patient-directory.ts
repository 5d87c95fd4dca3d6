import type { PatientDirectory } from "../dependents/index.ts";
import type { PatientStore } from "./ports.ts";

/** Patients as their dependents see them. */
export function patientDirectory(store: PatientStore): PatientDirectory {
  return {
    read: async (id) => (await store.read(id))?.patient,
    exists: (id) => store.exists(id),
    holders: (identifiers) => store.holders(identifiers),
    group: (id) => store.group(id),
  };
}
