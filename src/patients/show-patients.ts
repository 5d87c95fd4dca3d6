import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { PatientIndex } from "./patient-index.ts";
import { showPatient } from "./show-patient.ts";
import { unreadablePatients } from "./unreadable-patients.ts";

export interface ShownPatients {
  /** As they are shown, by id. */
  readonly shown: ReadonlyMap<bigint, Patient>;
  /** Those that cannot be read, and such members of the groups of those that are shown. */
  readonly unreadable: readonly bigint[];
  /** Whether they are more bytes than a page may have: then some are missing. */
  readonly isCut: boolean;
}

/** Shows patients in the same few statements however many they are, as far as they fit on a page. */
export async function showPatients(
  { store }: Pick<PatientIndex, "store">,
  ids: readonly bigint[],
): Promise<ShownPatients> {
  if (ids.length === 0) return { shown: new Map(), unreadable: [], isCut: false };
  const many = { size: ids.length, maximum: ids.length };
  const found = await store.search({ ids }, { sort: [], page: 1, ...many, mayEndEarly: true });
  if (found === "too-many") throw new Error("More patients than ids were found.");
  const shown = new Map(
    found.patients.map((stored) => [BigInt(stored.patient.id ?? ""), showPatient(stored)]),
  );
  return { shown, unreadable: unreadablePatients(found), isCut: found.endsAfter !== undefined };
}
