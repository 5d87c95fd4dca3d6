import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PROFILE_BASE } from "../patients/examples.ts";

export type ObservationInit = Omit<MessageInitShape<typeof ObservationSchema>, "$typeName">;

export const MARITAL_STATUS_SYSTEM = "http://terminology.hl7.org/CodeSystem/v3-MaritalStatus";

/** A valid marital status of Patient/7: married. What is given replaces its elements. */
export function maritalStatus(changes: ObservationInit = {}): Observation {
  return create(ObservationSchema, {
    meta: { profile: [`${PROFILE_BASE}ee-mpi-socialhistory-marital-status`] },
    status: "final",
    category: [
      {
        coding: [
          { system: "http://terminology.hl7.org/CodeSystem/observation-category", code: "social-history" },
        ],
      },
    ],
    code: { coding: [{ system: "http://snomed.info/sct", code: "125680007", display: "Marital status" }] },
    subject: { reference: "Patient/7" },
    effective: { case: "effectivePeriod", value: { start: "2015-06-22" } },
    issued: "2026-04-01T10:00:00+03:00",
    value: {
      case: "valueCodeableConcept",
      value: { coding: [{ system: MARITAL_STATUS_SYSTEM, code: "M" }] },
    },
    ...changes,
  });
}
