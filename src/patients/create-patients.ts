import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { MpiError } from "../errors/index.ts";
import { loadPatients } from "./load-patients.ts";
import type { PatientIndex } from "./patient-index.ts";
import type { PatientLoader } from "./ports.ts";
import { showPatient } from "./show-patient.ts";

/** Stores new patients at once: each as `createPatient` would answer it, or what it would be refused with. */
export async function createPatients(
  index: PatientIndex,
  loader: PatientLoader,
  given: readonly Patient[],
): Promise<(Patient | MpiError)[]> {
  const loaded = await loadPatients(index, loader, given);
  return loaded.map((one) => (one.outcome === "stored" ? showPatient({ patient: one.patient }) : one.error));
}
