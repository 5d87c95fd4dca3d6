import { Prisma } from "../../../../prisma/gen/client.ts";
import type { PatientCriteria, SearchPage, SortKey } from "../../../patients/ports.ts";
import type { Comparison, Prefix } from "../../../search/index.ts";
import type { DaySpan, InstantSpan } from "../../../time/fhir-date.ts";
import type { Database } from "../../connection/database.ts";

/** Beside the identifiers, which the blind index is asked for. */
export type OtherCriteria = Omit<PatientCriteria, "identifiers">;

/** A patient that fits. */
export interface Match {
  readonly id: bigint;
  /** What its document takes. */
  readonly bytes: number;
}

/**
 * The patients that fit, sorted; at most one more than `page.maximum`, and then any: whoever finds too many is told
 * only that, so nobody waits until all of them are found and sorted.
 */
export async function selectMatches(
  database: Database,
  criteria: OtherCriteria,
  page: SearchPage,
): Promise<Match[]> {
  const conditions = conditionsOf(criteria);
  const where = conditions.length > 0 ? Prisma.join(conditions, " AND ") : Prisma.sql`true`;
  const order = page.sort.map(({ key, descending }) =>
    descending
      ? Prisma.sql`${SORT_COLUMNS[key]} DESC NULLS LAST`
      : Prisma.sql`${SORT_COLUMNS[key]} NULLS LAST`,
  );
  return await database.$queryRaw<Match[]>`
    SELECT id, bytes FROM (
      SELECT id, updated_at, birth_from, deceased_at, octet_length(document) AS bytes
      FROM patient WHERE ${where} LIMIT ${page.maximum + 1}) AS match
    ORDER BY ${Prisma.join([...order, Prisma.sql`id`])}`;
}

const SORT_COLUMNS: Readonly<Record<SortKey, Prisma.Sql>> = {
  _lastUpdated: Prisma.sql`updated_at`,
  birthdate: Prisma.sql`birth_from`,
  "death-date": Prisma.sql`deceased_at`,
};

/** The sealed values lie with their patient, so this stays in its shard. */
const HOLDS_PERSONAL_CODE = Prisma.sql`EXISTS (SELECT FROM identifier_value AS held
  WHERE held.patient_id = patient.id AND held.owner = patient.id AND held.country = 'est' AND held.type = 'ni')`;

type Wanted = Required<OtherCriteria>;

/**
 * What each criterion asks of a row, all of it. Flags stand in the text of the statement: the indexes of those who are
 * inactive or deceased serve no parameter.
 */
const CONDITIONS: {
  readonly [Name in keyof Wanted]: (wanted: Wanted[Name]) => readonly Prisma.Sql[];
} = {
  ids: (ids) => [Prisma.sql`id = ANY(${ids})`],
  inRegister: (isIn) => (isIn ? [HOLDS_PERSONAL_CODE] : []),
  active: (active) => [active ? Prisma.sql`active` : Prisma.sql`NOT active`],
  deceased: (deceased) => [deceased ? Prisma.sql`deceased` : Prisma.sql`NOT deceased`],
  birthDate: (comparisons) => comparisons.flatMap(compareBirth),
  lastUpdated: (comparisons) => comparisons.map(compareInstants),
};

const CRITERIA = Object.keys(CONDITIONS) as (keyof Wanted)[];

function conditionsOf(criteria: OtherCriteria): Prisma.Sql[] {
  return CRITERIA.flatMap((name) => conditionsOn(name, criteria[name]));
}

function conditionsOn<Name extends keyof Wanted>(
  name: Name,
  wanted: Wanted[Name] | undefined,
): readonly Prisma.Sql[] {
  return wanted === undefined ? [] : CONDITIONS[name](wanted);
}

function compareBirth({ prefix, span }: Comparison<DaySpan>): Prisma.Sql[] {
  const parameter = { from: Prisma.sql`${span.from}::date`, to: Prisma.sql`${span.to}::date` };
  const compared = compare(prefix, Prisma.sql`birth_from`, Prisma.sql`birth_to`, parameter);
  return [compared, ...boundsOfBirth(prefix, parameter)];
}

const BOUNDED_BELOW: ReadonlySet<Prefix> = new Set(["eq", "gt", "ge", "sa"]);
const BOUNDED_ABOVE: ReadonlySet<Prefix> = new Set(["eq", "lt", "le", "eb"]);

/** What follows from a comparison for birth_from, which has an index: a birth date means a year at most. */
function boundsOfBirth(prefix: Prefix, { from, to }: { from: Prisma.Sql; to: Prisma.Sql }): Prisma.Sql[] {
  return [
    ...(BOUNDED_BELOW.has(prefix) ? [Prisma.sql`birth_from >= ${from} - 366`] : []),
    ...(BOUNDED_ABOVE.has(prefix) ? [Prisma.sql`birth_from <= ${to}`] : []),
  ];
}

function compareInstants({ prefix, span }: Comparison<InstantSpan>): Prisma.Sql {
  const column = Prisma.sql`updated_at`;
  return compare(prefix, column, column, { from: Prisma.sql`${span.from}`, to: Prisma.sql`${span.to}` });
}

/** FHIR's comparison of the span that a row means, `from` to `to`, with the span of a parameter (R5 search, 3.2.1.5.6). */
function compare(
  prefix: Prefix,
  from: Prisma.Sql,
  to: Prisma.Sql,
  parameter: { from: Prisma.Sql; to: Prisma.Sql },
): Prisma.Sql {
  const within = Prisma.sql`(${from} >= ${parameter.from} AND ${to} <= ${parameter.to})`;
  switch (prefix) {
    case "eq":
      return within;
    case "ne":
      return Prisma.sql`NOT ${within}`;
    case "gt":
      return Prisma.sql`${to} > ${parameter.to}`;
    case "ge":
      return Prisma.sql`(${to} > ${parameter.to} OR ${within})`;
    case "lt":
      return Prisma.sql`${from} < ${parameter.from}`;
    case "le":
      return Prisma.sql`(${from} < ${parameter.from} OR ${within})`;
    case "sa":
      return Prisma.sql`${from} > ${parameter.to}`;
    case "eb":
      return Prisma.sql`${to} < ${parameter.from}`;
  }
}
