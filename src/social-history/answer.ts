import type { Observation } from "#proto/patientindex/v1/observation_pb.ts";
import { type Fault, fault } from "../errors/index.ts";
import type { NamedPatient } from "./named-patient.ts";

/** What an operation answers: observations, and what the asker should know. */
export interface HistoryAnswer {
  readonly observations: Observation[];
  readonly notes: Fault[];
}

export function answerOf(observations: Observation[], notes: Fault[] = []): HistoryAnswer {
  return { observations, notes };
}

/** The warning of answers about somebody who has died (MPI-101). */
export function deceasedNote({ isDeceased }: NamedPatient): Fault[] {
  return isDeceased ? [fault("PATIENT_DECEASED", {}, { severity: "warning" })] : [];
}
