import { MpiError } from "../errors/index.ts";

const ID = /^[1-9]\d{0,17}$/;

/** The number behind a patient's id; what cannot be one is the id of nobody (MPI-072). */
export function parsePatientId(id: string): bigint {
  if (!ID.test(id)) throw patientNotFound(id);
  return BigInt(id);
}

export function patientNotFound(id: string): MpiError {
  return new MpiError("PATIENT_RESOURCE_NOT_FOUND", { id });
}
