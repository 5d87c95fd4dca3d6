import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { PatientIndex } from "./patient-index.ts";
import { showPatient } from "./rules/index.ts";
import { unreadablePatients } from "./unreadable-patients.ts";

export interface ShownPatients {
  /** As they are shown, by id. */
  readonly shown: ReadonlyMap<bigint, Patient>;
  /** Those that cannot be read, and such members of the groups of those that are shown. */
  readonly unreadable: readonly bigint[];
}

/** Shows patients in the same few statements however many they are. */
export async function showPatients(
  { store }: Pick<PatientIndex, "store">,
  ids: readonly bigint[],
): Promise<ShownPatients> {
  if (ids.length === 0) return { shown: new Map(), unreadable: [] };
  const found = await store.search({ ids }, { sort: [], page: 1, size: ids.length, maximum: ids.length });
  if (found === "too-many") throw new Error("More patients than ids were found.");
  const shown = new Map(
    found.patients.map((stored) => [BigInt(stored.patient.id ?? ""), showPatient(stored)]),
  );
  return { shown, unreadable: unreadablePatients(found) };
}
