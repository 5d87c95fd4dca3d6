import { Prisma } from "../../../prisma/gen/client.ts";
import { type DependentId, publicNumber } from "../../dependents/dependent-id.ts";
import type { HistoryPage } from "../../resources/index.ts";
import type { FeedRow } from "../changes/feed.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { SEALED_VALUES } from "../sealing/sealed-rows.ts";
import type { DependentTable } from "./dependent-table.ts";
import type { DependentRow, DependentVersionRow } from "./stored-dependent.ts";

type AnyTable = Pick<DependentTable<never>, "current" | "history">;

const COLUMNS = Prisma.sql`d.patient_id AS "patientId", d.n, d.version, d.updated_at AS "updatedAt", d.document`;

const AUTHOR = Prisma.sql`d.author_key_id AS "authorKeyId", d.author`;

/** The current version of a dependent with its sealed values, in one round trip. */
export async function selectDependent(
  database: Database | Transaction,
  { current }: AnyTable,
  id: DependentId,
): Promise<DependentRow | undefined> {
  const [row] = await database.$queryRaw<DependentRow[]>`
    SELECT ${COLUMNS}, held.sealed
    FROM ${current} d, ${sealedValuesOf(id)} held
    WHERE d.patient_id = ${id.patientId} AND d.n = ${id.n}`;
  return row;
}

/** One version of a dependent, as it was stored. */
export async function selectDependentVersion(
  database: Database,
  { history }: AnyTable,
  id: DependentId,
  version: number,
): Promise<DependentRow | undefined> {
  const [row] = await database.$queryRaw<DependentRow[]>`
    SELECT ${COLUMNS}, held.sealed
    FROM ${history} d, ${sealedValuesOf(id)} held
    WHERE d.patient_id = ${id.patientId} AND d.n = ${id.n} AND d.version = ${version}`;
  return row;
}

/** Versions of one dependent, at most one more than the page holds: then there is a next page. */
export async function selectDependentHistory(
  database: Database,
  { history }: AnyTable,
  id: DependentId,
  page: HistoryPage,
): Promise<DependentVersionRow[]> {
  const after = page.oldestFirst
    ? Prisma.sql`d.version > ${page.after ?? 0}`
    : Prisma.sql`d.version < ${page.after ?? 2147483647}`;
  const order = page.oldestFirst ? Prisma.sql`d.version` : Prisma.sql`d.version DESC`;
  return await database.$queryRaw<DependentVersionRow[]>`
    SELECT ${COLUMNS}, ${AUTHOR}, held.sealed
    FROM ${history} d, ${sealedValuesOf(id)} held
    WHERE d.patient_id = ${id.patientId} AND d.n = ${id.n} AND ${after}
      AND d.updated_at >= ${page.since ?? new Date(0)}
    ORDER BY ${order} LIMIT ${page.size + 1}`;
}

/** How many versions a dependent has since an instant; versions have no gaps. */
export async function countDependentVersions(
  database: Database,
  { history }: AnyTable,
  id: DependentId,
  since: Date | undefined,
): Promise<number> {
  const [row] = await database.$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM ${history} d
    WHERE d.patient_id = ${id.patientId} AND d.n = ${id.n} AND d.updated_at >= ${since ?? new Date(0)}`;
  return Number(row?.total ?? 0);
}

/**
 * All dependents of these patients that are not deleted, in the order of their ids. Those of one patient, as most are
 * asked for, are asked of one shard.
 */
export async function selectDependentsOf(
  database: Database | Transaction,
  { current }: AnyTable,
  patientIds: readonly bigint[],
): Promise<DependentRow[]> {
  if (patientIds.length === 0) return [];
  const [only, another] = patientIds;
  const among = (column: Prisma.Sql) =>
    another === undefined ? Prisma.sql`${column} = ${only}` : Prisma.sql`${column} = ANY(${patientIds})`;
  const first = publicNumber({ patientId: 1n, n: 0 });
  return await database.$queryRaw<DependentRow[]>`
    SELECT ${COLUMNS}, ${SEALED_VALUES} AS sealed
    FROM ${current} d LEFT JOIN identifier_value v
      ON v.patient_id = d.patient_id AND ${among(Prisma.sql`v.patient_id`)} AND v.owner = d.patient_id * ${first} + d.n
    WHERE ${among(Prisma.sql`d.patient_id`)} AND d.document IS NOT NULL
    GROUP BY d.patient_id, d.n ORDER BY d.patient_id, d.n`;
}

/** The versions of feed rows, in no order. */
export async function selectDependentVersions(
  database: Database,
  { history }: AnyTable,
  rows: readonly FeedRow[],
): Promise<DependentVersionRow[]> {
  if (rows.length === 0) return [];
  return await database.$queryRaw<DependentVersionRow[]>`
    SELECT ${COLUMNS}, ${AUTHOR}, ${SEALED_VALUES} AS sealed
    FROM unnest(${rows.map((row) => row.patientId)}::bigint[],
      ${rows.map(({ patientId, dependent }) => publicNumber({ patientId, n: dependent }))}::bigint[],
      ${rows.map((row) => row.dependent)}::int[], ${rows.map((row) => row.version)}::int[])
      AS wanted (patient_id, owner, n, version)
    JOIN ${history} d ON d.patient_id = wanted.patient_id AND d.n = wanted.n AND d.version = wanted.version
    LEFT JOIN identifier_value v ON v.patient_id = d.patient_id AND v.owner = wanted.owner
    GROUP BY d.patient_id, d.n, d.version`;
}

function sealedValuesOf(id: DependentId): Prisma.Sql {
  return Prisma.sql`
    (SELECT ${SEALED_VALUES} AS sealed FROM identifier_value v WHERE v.patient_id = ${id.patientId} AND v.owner = ${publicNumber(id)})`;
}
