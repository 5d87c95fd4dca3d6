import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { MpiError, refuseFor } from "../errors/index.ts";
import { refuseOtherId, refuseOtherVersion } from "../resources/index.ts";
import { checkStructure } from "../structure/index.ts";
import { parsePatientId, patientNotFound } from "./patient-id.ts";
import { type PatientIndex, ruleSetting } from "./patient-index.ts";
import { IdentifierTaken, type StoredPatient } from "./ports.ts";
import { changesContactData } from "./register/contact-data.ts";
import { resolveAddresses } from "./register/resolve-addresses.ts";
import { acceptChangedPatient, othersIdentifiers, showPatient } from "./rules/index.ts";

/**
 * Replaces a patient by its next version (spec http-api.md, PUT /Patient/{id}). With an etag only when it is that of
 * the current version, else ABORTED; without one over whatever is there, rules checked against just that version.
 */
export async function updatePatient(index: PatientIndex, id: string, given: Patient): Promise<Patient> {
  const number = parsePatientId(id);
  refuseFor(checkStructure(PatientSchema, given));
  refuseOtherId("Patient", id, given);
  for (;;) {
    const current = await index.store.read(number);
    if (!current) throw patientNotFound(id);
    refuseOtherVersion(current.patient, given.etag);
    const accepted = accept(index, current, given);
    const next = await resolveAddresses(index.addresses, accepted, given, current.patient.address);
    const replaced = await replace(index, current.patient, next);
    if (replaced !== "stale") return showPatient({ ...current, patient: replaced });
  }
}

function accept(index: PatientIndex, { patient: current, group }: StoredPatient, given: Patient): Patient {
  const { patient, faults } = acceptChangedPatient(
    current,
    given,
    ruleSetting(index),
    othersIdentifiers(current, group),
  );
  refuseFor(faults);
  return patient;
}

async function replace(index: PatientIndex, current: Patient, next: Patient): Promise<Patient | "stale"> {
  try {
    const now = index.now();
    const telling = { contactData: changesContactData(current, next, now) };
    return await index.store.replace(current, next, now, telling);
  } catch (cause) {
    if (!(cause instanceof IdentifierTaken)) throw cause;
    throw new MpiError("IDENTIFIERS_OF_SEVERAL_PATIENTS", {}, { cause, expression: ["Patient.identifier"] });
  }
}
