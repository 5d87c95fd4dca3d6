import { MpiError } from "../errors/index.ts";
import { patientNumber } from "../resources/index.ts";

/** The number behind a patient's id; what cannot be one is the id of nobody (MPI-072). */
export function parsePatientId(id: string): bigint {
  const number = patientNumber(id);
  if (number === undefined) throw patientNotFound(id);
  return number;
}

export function patientNotFound(id: string): MpiError {
  return new MpiError("PATIENT_RESOURCE_NOT_FOUND", { id });
}
