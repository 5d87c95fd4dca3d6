import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { withoutVersion } from "../../content-rules/index.ts";

/**
 * A copy without what the index does not take from anybody: elements it does not process, and those that are its
 * own (id, version, links). What is left is shared with the given patient.
 */
export function withoutUnprocessedElements(given: Patient): Patient {
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
  };
}
