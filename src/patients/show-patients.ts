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

/**
 * Shows patients in the same few statements however many they are, as far as they fit on a page; only those who are wanted
 * by what is their own, without the identifiers of their group.
 */
export async function showPatients(
  { store }: Pick<PatientIndex, "store">,
  ids: readonly bigint[],
  isWanted: (patient: Patient) => boolean = () => true,
): Promise<ShownPatients> {
  const found = await store.readAll(ids);
  const wanted = found.patients.filter(({ patient }) => isWanted(patient));
  const shown = new Map(wanted.map((stored) => [BigInt(stored.patient.id ?? ""), showPatient(stored)]));
  return { shown, unreadable: unreadablePatients(found), isCut: found.isCut };
}
