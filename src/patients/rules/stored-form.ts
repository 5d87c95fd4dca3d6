import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { withoutVersion } from "../../content-rules/index.ts";

/** The elements that the rules bring to their stored form. */
type StoredElements = Pick<Patient, "identifier" | "telecom" | "address">;

/**
 * A copy in its stored form, without what the index does not take from anybody: elements it does not process, and
 * those that are its own (id, version, links). What is left is shared with the given patient.
 */
export function storedForm(given: Patient, elements: StoredElements): Patient {
  return {
    ...given,
    $unknown: undefined,
    id: undefined,
    meta: withoutVersion(given.meta),
    text: undefined,
    contained: [],
    maritalStatus: undefined,
    photo: [],
    contact: [],
    generalPractitioner: [],
    managingOrganization: undefined,
    link: [],
    etag: "",
    ...elements,
  };
}
