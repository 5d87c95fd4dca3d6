import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { type IdentifierToken, identifierTokenOf } from "../identifiers/index.ts";

/** The identifiers of a patient as one searches for them. */
export function identifierTokens(patient: Patient): IdentifierToken[] {
  return patient.identifier.flatMap((identifier) => identifierTokenOf(identifier) ?? []);
}
