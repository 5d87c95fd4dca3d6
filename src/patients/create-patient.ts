import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { type Fault, MpiError, refuseFor } from "../errors/index.ts";
import { checkStructure } from "../structure/index.ts";
import { identifierTokens } from "./identifier-tokens.ts";
import { type PatientIndex, ruleSetting } from "./patient-index.ts";
import { IdentifierTaken } from "./ports.ts";
import { besideTaken } from "./register/beside-taken.ts";
import { resolveAddresses } from "./register/resolve-addresses.ts";
import { acceptNewPatient, identifiersTaken } from "./rules/index.ts";
import { showPatient } from "./show-patient.ts";

/**
 * Stores a new patient (spec http-api.md, POST /Patient). Refused with all that is wrong with it, MPI-010 or MPI-017
 * among it when other patients have its identifiers: the database decides that, whoever else writes meanwhile.
 */
export async function createPatient(index: PatientIndex, given: Patient): Promise<Patient> {
  const patient = await acceptPatient(index, given);
  try {
    return showPatient({ patient: await index.store.create(patient, index.now()) });
  } catch (cause) {
    if (!(cause instanceof IdentifierTaken)) throw cause;
    const holders = await index.store.holders(identifierTokens(patient));
    throw MpiError.of([identifiersTaken(holders.length)], { cause });
  }
}

/** A new patient as it is to be stored; refused with all that is wrong with it. */
export async function acceptPatient(index: PatientIndex, given: Patient): Promise<Patient> {
  refuseFor(checkStructure(PatientSchema, given));
  const { patient: accepted, faults } = acceptNewPatient(given, ruleSetting(index));
  if (faults.length > 0) refuseFor([...faults, ...(await identifierFaults(index, accepted))]);
  return await besideTaken(
    () => resolveAddresses(index.addresses, accepted, given),
    () => identifierFaults(index, accepted),
  );
}

/** Asked only for a patient that is refused anyway: of any other the database says it as the patient is written. */
async function identifierFaults({ store }: PatientIndex, patient: Patient): Promise<Fault[]> {
  const holders = await store.holders(identifierTokens(patient));
  return holders.length > 0 ? [identifiersTaken(holders.length)] : [];
}
