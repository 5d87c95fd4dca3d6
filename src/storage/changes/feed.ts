import { Prisma } from "../../../prisma/gen/client.ts";
import type { ChangesPage } from "../../resources/index.ts";
import type { Database, Transaction } from "../connection/database.ts";
import type { ResourceType } from "./outbox.ts";

export interface FeedRow {
  readonly position: bigint;
  readonly publishedAt: Date;
  readonly patientId: bigint;
  /** Number of the dependent; 0 for the patient itself. */
  readonly dependent: number;
  readonly version: number;
}

/** Rows of the feed of a type, at most one more than the page holds: then there is a next page. */
export async function selectFeed(
  database: Database,
  type: ResourceType,
  page: ChangesPage,
): Promise<FeedRow[]> {
  const after = page.oldestFirst
    ? Prisma.sql`position > ${page.after ?? 0n}`
    : Prisma.sql`position < ${page.after ?? 9223372036854775807n}`;
  const order = page.oldestFirst ? Prisma.sql`position` : Prisma.sql`position DESC`;
  return await database.$queryRaw<FeedRow[]>`
    SELECT position, published_at AS "publishedAt", patient_id AS "patientId", dependent, version
    FROM feed WHERE resource_type = ${type} AND ${after} AND published_at >= ${page.since ?? new Date(0)}
    ORDER BY ${order} LIMIT ${page.size + 1}`;
}

/** Position of the last change of a type, and how many there are since an instant; positions have no gaps. */
export async function selectExtent(
  database: Database,
  type: ResourceType,
  since: Date | undefined,
): Promise<{ end: bigint; total: number }> {
  const last = await selectEnd(database, type);
  if (!last) return { end: 0n, total: 0 };
  if (!since) return { end: last.position, total: Number(last.position) };
  const [first] = await database.$queryRaw<{ position: bigint }[]>`
    SELECT position FROM feed WHERE resource_type = ${type} AND published_at >= ${since}
    ORDER BY published_at, position LIMIT 1`;
  return { end: last.position, total: first ? Number(last.position - first.position) + 1 : 0 };
}

/** The last row of the feed of a type. */
export async function selectEnd(
  database: Database | Transaction,
  type: ResourceType,
): Promise<FeedRow | undefined> {
  const [last] = await database.$queryRaw<FeedRow[]>`
    SELECT position, published_at AS "publishedAt", patient_id AS "patientId", dependent, version
    FROM feed WHERE resource_type = ${type} ORDER BY position DESC LIMIT 1`;
  return last;
}
