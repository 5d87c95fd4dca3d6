import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { Prisma } from "../../../../prisma/gen/client.ts";
import { isPresent } from "../../../content-rules/index.ts";
import { daySpan, instantSpan } from "../../../time/fhir-date.ts";
import { type Column, names } from "../../connection/row-arrays.ts";

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

/** For an INSERT: `active, birth_from, …` */
export const searchColumnNames = Prisma.raw(names(searchColumns));

/** For an INSERT: the content of each. */
export function searchColumnValues(columns: SearchColumns): Prisma.Sql {
  return new Prisma.Sql(VALUES, contentsOf(columns));
}

/** For an UPDATE: each with its content. */
export function searchColumnSettings(columns: SearchColumns): Prisma.Sql {
  return new Prisma.Sql(SETTINGS, contentsOf(columns));
}

// Texts between the contents, put together once: every write of a patient has them.
const VALUES = searchColumns
  .map(([, type]) => `?::${type}`)
  .join(", ")
  .split("?");
const SETTINGS = searchColumns
  .map(([name, type]) => `${name} = ?::${type}`)
  .join(", ")
  .split("?");

function contentsOf(columns: SearchColumns): unknown[] {
  return searchColumns.map(([, , contentOf]) => contentOf({ columns }));
}

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
