import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { MpiError, refuseFor } from "../errors/index.ts";
import { checkStructure } from "../structure/index.ts";
import { identifierTokens } from "./identifier-tokens.ts";
import { type PatientIndex, ruleSetting } from "./patient-index.ts";
import { IdentifierTaken } from "./ports.ts";
import { resolveAddresses } from "./register/resolve-addresses.ts";
import { acceptNewPatient, showPatient } from "./rules/index.ts";

/**
 * Stores a new patient (spec http-api.md, POST /Patient). Refused with all that is wrong with it, or with MPI-010
 * or MPI-017 when other patients have its identifiers: the database decides that, whoever else writes meanwhile.
 */
export async function createPatient(index: PatientIndex, given: Patient): Promise<Patient> {
  const patient = await acceptPatient(index, given);
  try {
    return showPatient({ patient: await index.store.create(patient, index.now()) });
  } catch (cause) {
    if (!(cause instanceof IdentifierTaken)) throw cause;
    const holders = await index.store.holders(identifierTokens(patient));
    throw identifiersTaken(holders.length, cause);
  }
}

/** A new patient as it is to be stored; refused with all that is wrong with it by itself. */
export async function acceptPatient(index: PatientIndex, given: Patient): Promise<Patient> {
  refuseFor(checkStructure(PatientSchema, given));
  const { patient: accepted, faults } = acceptNewPatient(given, ruleSetting(index));
  refuseFor(faults);
  return await resolveAddresses(index.addresses, accepted, given);
}

/** Says that so many other patients have identifiers of a new one. */
export function identifiersTaken(holders: number, cause?: unknown): MpiError {
  const meaning = holders > 1 ? "IDENTIFIERS_OF_SEVERAL_PATIENTS" : "PATIENT_ALREADY_EXISTS";
  return new MpiError(meaning, {}, { cause, expression: ["Patient.identifier"] });
}
