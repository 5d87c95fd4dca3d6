import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { MpiError } from "../errors/index.ts";
import { blankMessages } from "../messages/index.ts";
import { loadPatients } from "./load-patients.ts";
import type { PatientIndex } from "./patient-index.ts";
import type { PatientLoader } from "./ports.ts";
import { showPatient } from "./show-patient.ts";

const blankPatient = blankMessages(PatientSchema);

/**
 * Stores new patients at once: each as `createPatient` would answer it, or what it would be refused with. With
 * `identityOnly` nothing is told of a patient but its id and version.
 */
export async function createPatients(
  index: PatientIndex,
  loader: PatientLoader,
  given: readonly Patient[],
  identityOnly: boolean,
): Promise<(Patient | MpiError)[]> {
  const loaded = await loadPatients(index, loader, given);
  const show = identityOnly ? identityOf : (patient: Patient) => showPatient({ patient });
  return loaded.map((one) => (one.outcome === "stored" ? show(one.patient) : one.error));
}

function identityOf({ id, meta, etag }: Patient): Patient {
  return Object.assign(blankPatient(), { id, meta, etag });
}
