import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { isPresent } from "../../../content-rules/index.ts";
import { daySpan, instantSpan } from "../../../time/fhir-date.ts";
import type { Column } from "../../connection/row-arrays.ts";

/** What of a patient is searched and sorted by, as the columns of its row. */
export interface SearchColumns {
  readonly active: boolean | null;
  /** YYYY-MM-DD. */
  readonly birthFrom: string | null;
  readonly birthTo: string | null;
  readonly deceased: boolean;
  readonly deceasedAt: Date | null;
}

/** A row that has them. */
interface Searched {
  readonly columns: SearchColumns;
}

const COLUMNS: { readonly [Name in keyof SearchColumns]: Column<Searched> } = {
  active: ["active", "boolean", ({ columns }) => columns.active],
  birthFrom: ["birth_from", "date", ({ columns }) => columns.birthFrom],
  birthTo: ["birth_to", "date", ({ columns }) => columns.birthTo],
  deceased: ["deceased", "boolean", ({ columns }) => columns.deceased],
  deceasedAt: ["deceased_at", "timestamp", ({ columns }) => columns.deceasedAt],
};

/** As the table has them: whatever writes a patient takes them from here. */
export const searchColumns: readonly Column<Searched>[] = Object.values(COLUMNS);

export function searchColumnsOf(patient: Patient): SearchColumns {
  const birth = daySpan(patient.birthDate ?? "");
  const { deceased } = patient;
  return {
    active: patient.active ?? null,
    birthFrom: birth?.from ?? null,
    birthTo: birth?.to ?? null,
    deceased: hasDied(patient),
    deceasedAt: deceased.case === "deceasedDateTime" ? (instantSpan(deceased.value)?.from ?? null) : null,
  };
}

/** A time of death that nobody knows is one all the same: a stillborn may have it so. */
function hasDied({ deceased, deceasedDateTimeElement }: Patient): boolean {
  if (deceased.case === "deceasedBoolean") return deceased.value;
  return deceased.case === "deceasedDateTime" || isPresent(undefined, deceasedDateTimeElement);
}
