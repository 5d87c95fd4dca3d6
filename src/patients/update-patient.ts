import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { identifierKey } from "../content-rules/index.ts";
import { type Fault, MpiError, refuseFor } from "../errors/index.ts";
import { isPersonalCodeToken } from "../identifiers/index.ts";
import { refuseOtherId, refuseOtherVersion } from "../resources/index.ts";
import { checkStructure } from "../structure/index.ts";
import { identifierTokens } from "./identifier-tokens.ts";
import { identifiersBelow } from "./identifiers-of-person.ts";
import { parsePatientId, patientNotFound } from "./patient-id.ts";
import { type PatientIndex, ruleSetting } from "./patient-index.ts";
import { IdentifierTaken, type PatientStore, type StoredPatient } from "./ports.ts";
import { besideTaken } from "./register/beside-taken.ts";
import { changesContactData } from "./register/contact-data.ts";
import { resolveAddresses } from "./register/resolve-addresses.ts";
import { type AcceptedPatient, acceptChangedPatient, identifiersTaken } from "./rules/index.ts";
import { showPatient } from "./show-patient.ts";

/** Holders of the identifiers of a patient that exists, when some of them are another's. */
const ITSELF_AND_ANOTHER = 2;

/**
 * Replaces a patient by its next version (spec http-api.md, PUT /Patient/{id}). With an etag only when it is that of
 * the current version, else ABORTED; without one over whatever is there, rules checked against just that version.
 */
export async function updatePatient(index: PatientIndex, id: string, given: Patient): Promise<Patient> {
  for (;;) {
    const current = await patientToReplace(index, id, given);
    const accepted = await accept(index, current, given);
    const next = await besideTaken(
      () => resolveAddresses(index.addresses, accepted, given, current.patient.address),
      () => identifierFaults(index, current.patient, accepted),
    );
    const replaced = await replace(index, current.patient, next);
    if (replaced !== "stale") return showPatient({ ...current, patient: replaced });
  }
}

/** The patient of an id as it is now, if this can be meant to stand in its place. */
export async function patientToReplace(
  index: PatientIndex,
  id: string,
  given: Patient,
): Promise<StoredPatient> {
  const number = parsePatientId(id);
  refuseFor(checkStructure(PatientSchema, given));
  refuseOtherId("Patient", id, given);
  const current = await index.store.read(number);
  if (!current) throw patientNotFound(id);
  refuseOtherVersion(current.patient, given.etag);
  return current;
}

/** What the rules make of a patient in place of what is there now. */
export async function acceptInPlace(
  index: PatientIndex,
  current: StoredPatient,
  given: Patient,
): Promise<AcceptedPatient> {
  const ofGroup = await othersOfGroup(index.store, current, given);
  return acceptChangedPatient(current.patient, given, ruleSetting(index), ofGroup);
}

/** Asked only where the client gives identifiers that are not the patient's own. */
async function othersOfGroup(
  store: PatientStore,
  current: StoredPatient,
  given: Patient,
): Promise<readonly Identifier[]> {
  const own = new Set(current.patient.identifier.map(identifierKey));
  if (given.identifier.every((identifier) => own.has(identifierKey(identifier)))) return [];
  return await identifiersBelow(store, current);
}

async function accept(index: PatientIndex, current: StoredPatient, given: Patient): Promise<Patient> {
  const { patient, faults } = await acceptInPlace(index, current, given);
  if (faults.length > 0) {
    refuseFor([...faults, ...(await identifierFaults(index, current.patient, patient))]);
  }
  return patient;
}

/**
 * Asked only for a patient that is refused anyway, as for a new one. Not of Estonian personal codes: those are refused
 * whoever has them, and by a PUT of their own record consumers would learn whom the index holds.
 */
async function identifierFaults({ store }: PatientIndex, current: Patient, next: Patient): Promise<Fault[]> {
  const tokens = identifierTokens(next).filter((token) => !isPersonalCodeToken(token));
  const holders = await store.holders(tokens);
  return holders.some((id) => String(id) !== current.id) ? [identifiersTaken(ITSELF_AND_ANOTHER)] : [];
}

async function replace(index: PatientIndex, current: Patient, next: Patient): Promise<Patient | "stale"> {
  try {
    const now = index.now();
    const deliveries = { contactData: changesContactData(current, next, now) };
    return await index.store.replace(current, next, now, deliveries);
  } catch (cause) {
    if (!(cause instanceof IdentifierTaken)) throw cause;
    throw MpiError.of([identifiersTaken(ITSELF_AND_ANOTHER)], { cause });
  }
}
