import type { Meta } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";

/**
 * A copy without what the index does not take from anybody: elements it does not process, and those that are its
 * own (id, version, links). What is left is shared with the given patient.
 */
export function withoutUnprocessedElements(given: Patient): Patient {
  const { meta } = given;
  return {
    ...given,
    $unknown: undefined,
    id: undefined,
    meta: meta && withoutVersion(meta),
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

function withoutVersion(meta: Meta): Meta {
  return {
    ...meta,
    $unknown: undefined,
    versionId: undefined,
    versionIdElement: undefined,
    lastUpdated: undefined,
    lastUpdatedElement: undefined,
  };
}
