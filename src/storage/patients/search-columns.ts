import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { daySpan, instantSpan } from "../../time/fhir-date.ts";

/** What of a patient is searched and sorted by, as the columns of its row. */
export interface SearchColumns {
  readonly active: boolean | null;
  /** YYYY-MM-DD. */
  readonly birthFrom: string | null;
  readonly birthTo: string | null;
  readonly deceased: boolean;
  readonly deceasedAt: Date | null;
}

export function searchColumnsOf(patient: Patient): SearchColumns {
  const birth = daySpan(patient.birthDate ?? "");
  const { deceased } = patient;
  return {
    active: patient.active ?? null,
    birthFrom: birth?.from ?? null,
    birthTo: birth?.to ?? null,
    deceased: deceased.case === "deceasedBoolean" ? deceased.value : deceased.case === "deceasedDateTime",
    deceasedAt: deceased.case === "deceasedDateTime" ? (instantSpan(deceased.value)?.from ?? null) : null,
  };
}
