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
  refuseFor(checkStructure(PatientSchema, given));
  const { patient: accepted, faults } = acceptNewPatient(given, ruleSetting(index));
  refuseFor(faults);
  const patient = await resolveAddresses(index.addresses, accepted, given);
  try {
    return showPatient({ patient: await index.store.create(patient, index.now()) });
  } catch (cause) {
    if (!(cause instanceof IdentifierTaken)) throw cause;
    const holders = await index.store.holders(identifierTokens(patient));
    throw holders.length > 1
      ? new MpiError("IDENTIFIERS_OF_SEVERAL_PATIENTS", {}, { cause, expression: ["Patient.identifier"] })
      : new MpiError("PATIENT_ALREADY_EXISTS", {}, { cause, expression: ["Patient.identifier"] });
  }
}
