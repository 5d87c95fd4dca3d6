import { Prisma } from "../../../prisma/gen/client.ts";
import { type DependentId, publicNumber } from "../../dependents/dependent-id.ts";
import type { DependentPage } from "../../dependents/ports.ts";
import type { HistoryPage } from "../../resources/index.ts";
import type { FeedRow } from "../changes/feed.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { SEALED_VALUES } from "../sealing/sealed-rows.ts";
import { withinPageBytes } from "../sealing/stored-bytes.ts";
import { orderOfVersions, type VersionSpan, versionsOnPage } from "../versions/version-span.ts";
import type { DependentTable } from "./dependent-table.ts";
import type { DependentRow, DependentVersionRow } from "./stored-dependent.ts";

type AnyTable = Pick<DependentTable<never>, "current" | "history">;

const COLUMNS = Prisma.sql`d.patient_id AS "patientId", d.n, d.version, d.updated_at AS "updatedAt", d.document`;

/** What identifier_value knows a row `d` by. */
const OWNER = Prisma.sql`d.patient_id * ${publicNumber({ patientId: 1n, n: 0 })} + d.n`;

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

/** Versions of one dependent, at most one more than the page holds, in number or in bytes: then there is a next page. */
export async function selectDependentHistory(
  database: Database,
  { history }: AnyTable,
  id: DependentId,
  span: VersionSpan,
  page: HistoryPage,
): Promise<DependentVersionRow[]> {
  const versions = Prisma.sql`
    SELECT ${COLUMNS}, ${AUTHOR}, held.sealed
    FROM ${history} d, ${sealedValuesOf(id)} held
    WHERE d.patient_id = ${id.patientId} AND d.n = ${id.n} ${versionsOnPage(span, page)}`;
  return await database.$queryRaw<DependentVersionRow[]>(withinPageBytes(versions, orderOfVersions(page)));
}

/** Which versions a dependent has since an instant. */
export async function selectDependentSpan(
  database: Database,
  { history }: AnyTable,
  { patientId, n }: DependentId,
  since: Date | undefined,
): Promise<VersionSpan> {
  const [last] = await database.$queryRaw<{ version: number }[]>`
    SELECT version FROM ${history} WHERE patient_id = ${patientId} AND n = ${n} ORDER BY version DESC LIMIT 1`;
  if (!last || !since) return { before: 0, last: last?.version ?? 0 };
  const [before] = await database.$queryRaw<{ version: number }[]>`
    SELECT version FROM ${history} WHERE patient_id = ${patientId} AND n = ${n} AND updated_at < ${since}
    ORDER BY version DESC LIMIT 1`;
  return { before: before?.version ?? 0, last: last.version };
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
  return await database.$queryRaw<DependentRow[]>(dependentsOf(current, patientIds, Prisma.sql`true`));
}

/** Those behind one of them, as far as they fit on a page, and the next one. */
export async function selectDependentsBehind(
  database: Database,
  { current }: AnyTable,
  patientIds: readonly bigint[],
  after: DependentId,
): Promise<DependentRow[]> {
  if (patientIds.length === 0) return [];
  const behind = Prisma.sql`(d.patient_id, d.n) > (${after.patientId}, ${after.n})`;
  return await database.$queryRaw<DependentRow[]>(
    withinPageBytes(dependentsOf(current, patientIds, behind), Prisma.sql`"patientId", n`),
  );
}

function dependentsOf(current: Prisma.Sql, patientIds: readonly bigint[], which: Prisma.Sql): Prisma.Sql {
  const among = amongPatients(patientIds);
  return Prisma.sql`
    SELECT ${COLUMNS}, ${SEALED_VALUES} AS sealed
    FROM ${current} d LEFT JOIN identifier_value v
      ON v.patient_id = d.patient_id AND ${among(Prisma.sql`v.patient_id`)} AND v.owner = ${OWNER}
    WHERE ${among(Prisma.sql`d.patient_id`)} AND d.document IS NOT NULL AND ${which}
    GROUP BY d.patient_id, d.n ORDER BY d.patient_id, d.n`;
}

/**
 * A page of them, without what is not on it, and how many there are in all. Where they are too many bytes for a page
 * there are fewer: those that fit, and the next one.
 */
export async function selectPageOfDependents(
  database: Database,
  { current }: AnyTable,
  patientIds: readonly bigint[],
  { descending, offset, size }: DependentPage,
): Promise<{ readonly rows: DependentRow[]; readonly total: number }> {
  const among = amongPatients(patientIds);
  const present = Prisma.sql`${among(Prisma.sql`patient_id`)} AND document IS NOT NULL`;
  const [counted] = await database.$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM ${current} WHERE ${present}`;
  const total = Number(counted?.total ?? 0);
  if (offset >= total || size === 0) return { rows: [], total };
  const order = descending
    ? Prisma.sql`updated_at DESC, patient_id, n`
    : Prisma.sql`updated_at, patient_id, n`;
  const onPage = Prisma.sql`
    SELECT ${COLUMNS}, held.sealed, row_number() OVER (ORDER BY ${order}) AS place
    FROM (SELECT patient_id, n, version, updated_at, document FROM ${current}
        WHERE ${present} ORDER BY ${order} OFFSET ${offset} LIMIT ${size}) AS d
      CROSS JOIN LATERAL (SELECT ${SEALED_VALUES} AS sealed FROM identifier_value v
        WHERE v.patient_id = d.patient_id AND ${among(Prisma.sql`v.patient_id`)} AND v.owner = ${OWNER}) AS held`;
  const rows = await database.$queryRaw<DependentRow[]>(withinPageBytes(onPage, Prisma.sql`place`));
  return { rows, total };
}

/** That a column is one of these patients; of one, as mostly, it is said so that one shard is asked. */
function amongPatients(patientIds: readonly bigint[]): (column: Prisma.Sql) => Prisma.Sql {
  const [only, another] = patientIds;
  if (only !== undefined && another === undefined) return (column) => Prisma.sql`${column} = ${only}`;
  return (column) => Prisma.sql`${column} = ANY(${[...patientIds]})`;
}

/** These versions, in their order, as far as they fit on a page, and the next one. */
export async function selectDependentVersions(
  database: Database,
  { history }: AnyTable,
  rows: readonly Pick<FeedRow, "patientId" | "dependent" | "version">[],
): Promise<DependentVersionRow[]> {
  if (rows.length === 0) return [];
  const wanted = Prisma.sql`
    SELECT ${COLUMNS}, ${AUTHOR}, ${SEALED_VALUES} AS sealed, wanted.place
    FROM unnest(${rows.map((row) => row.patientId)}::bigint[],
      ${rows.map(({ patientId, dependent }) => publicNumber({ patientId, n: dependent }))}::bigint[],
      ${rows.map((row) => row.dependent)}::int[], ${rows.map((row) => row.version)}::int[])
      WITH ORDINALITY AS wanted (patient_id, owner, n, version, place)
    JOIN ${history} d ON d.patient_id = wanted.patient_id AND d.n = wanted.n AND d.version = wanted.version
    LEFT JOIN identifier_value v ON v.patient_id = d.patient_id AND v.owner = wanted.owner
    GROUP BY d.patient_id, d.n, d.version, wanted.place`;
  return await database.$queryRaw<DependentVersionRow[]>(withinPageBytes(wanted, Prisma.sql`place`));
}

function sealedValuesOf(id: DependentId): Prisma.Sql {
  return Prisma.sql`
    (SELECT ${SEALED_VALUES} AS sealed FROM identifier_value v WHERE v.patient_id = ${id.patientId} AND v.owner = ${publicNumber(id)})`;
}
