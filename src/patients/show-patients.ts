import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { PatientIndex } from "./patient-index.ts";
import { showPatient } from "./rules/index.ts";

/** Patients as they are shown, by id; in the same few statements however many they are. */
export async function showPatients(
  { store }: Pick<PatientIndex, "store">,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, Patient>> {
  if (ids.length === 0) return new Map();
  const found = await store.search({ ids }, { sort: [], page: 1, size: ids.length, maximum: ids.length });
  if (found === "too-many") throw new Error("More patients than ids were found.");
  return new Map(found.patients.map((stored) => [BigInt(stored.patient.id ?? ""), showPatient(stored)]));
}
