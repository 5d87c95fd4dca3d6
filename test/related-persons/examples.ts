import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type RelatedPerson, RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { PID, PROFILE_BASE } from "../patients/examples.ts";

export type RelatedPersonInit = Omit<MessageInitShape<typeof RelatedPersonSchema>, "$typeName">;

export const ROLE_CLASS = "http://terminology.hl7.org/CodeSystem/v3-RoleClass";
export const SNOMED_CT = "http://snomed.info/sct";
export const CONTACT = { coding: [{ system: ROLE_CLASS, code: "CON" }] };
export const SPOUSE = { coding: [{ system: SNOMED_CT, code: "127848009", display: "Spouse" }] };

/** A valid contact person of Patient/7: the spouse. What is given replaces its elements. */
export function contactPerson(changes: RelatedPersonInit = {}): RelatedPerson {
  return create(RelatedPersonSchema, {
    meta: { profile: [`${PROFILE_BASE}ee-mpi-related-person`] },
    identifier: [{ system: `${PID}/fin/ni`, value: "020291-456B" }],
    active: true,
    patient: { reference: "Patient/7" },
    relationship: [CONTACT, SPOUSE],
    name: [{ use: "official", family: "Virtanen", given: ["Matti"] }],
    telecom: [{ system: "phone", value: "+358407654321" }],
    gender: "male",
    birthDate: "1991-02-02",
    period: { start: "2015-06-22" },
    ...changes,
  });
}
