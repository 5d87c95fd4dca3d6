import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { withoutUnprocessedElements } from "../../content-rules/index.ts";

/** The elements that the rules bring to their stored form. */
type StoredElements = Pick<Patient, "identifier" | "telecom" | "address">;

/**
 * A copy in its stored form, without what the index does not take from anybody: of a patient that is more than of other
 * resources, and the links are its own too. What is left is shared with the given patient.
 */
export function storedForm(given: Patient, elements: StoredElements): Patient {
  return {
    ...withoutUnprocessedElements(given),
    maritalStatus: undefined,
    photo: [],
    contact: [],
    generalPractitioner: [],
    managingOrganization: undefined,
    link: [],
    ...elements,
  };
}
