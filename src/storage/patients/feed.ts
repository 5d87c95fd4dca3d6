import { Prisma } from "../../../prisma/gen/client.ts";
import type { ChangesPage } from "../../resources/index.ts";
import type { Database, Transaction } from "../database.ts";
import { inTransaction } from "../transaction.ts";
import { CHANGE } from "./write-patient.ts";

const BATCH = 1000;

interface PendingChange {
  readonly patientId: bigint;
  readonly n: number;
  readonly version: number;
  readonly at: Date;
}

export interface FeedRow {
  readonly position: bigint;
  readonly publishedAt: Date;
  readonly patientId: bigint;
  readonly version: number;
}

/**
 * Moves what is committed from the outbox to the feed. Positions are given here, under the lease, after the commit
 * of the writes: so a position never shows up behind one that a reader has passed.
 */
export async function publishChanges(database: Database, now: Date): Promise<void> {
  while ((await inTransaction(database, (transaction) => publishBatch(transaction, now))) === BATCH);
}

async function publishBatch(transaction: Transaction, now: Date): Promise<number> {
  const [pending] = await transaction.$queryRaw<{ any: boolean }[]>`
    SELECT EXISTS (SELECT FROM outbox WHERE kind = ${CHANGE}) AS any`;
  if (!pending?.any) return 0;
  await transaction.$queryRaw`SELECT name FROM lease WHERE name = 'feed' FOR UPDATE`;
  const changes = await transaction.$queryRaw<PendingChange[]>`
    SELECT patient_id AS "patientId", n, version, at FROM outbox
    WHERE kind = ${CHANGE} ORDER BY at, patient_id, n LIMIT ${BATCH}`;
  if (changes.length === 0) return 0;
  await appendToFeed(transaction, changes, now);
  await transaction.$executeRaw`
    DELETE FROM outbox USING unnest(${changes.map((change) => change.patientId)}::bigint[],
      ${changes.map((change) => change.n)}::int[]) AS published (patient_id, n)
    WHERE outbox.patient_id = published.patient_id AND outbox.n = published.n`;
  return changes.length;
}

async function appendToFeed(transaction: Transaction, changes: PendingChange[], now: Date): Promise<void> {
  const last = await selectEnd(transaction);
  const publishedAt = new Date(Math.max(now.getTime(), last?.publishedAt.getTime() ?? 0));
  const end = last?.position ?? 0n;
  await transaction.$executeRaw`
    INSERT INTO feed (position, published_at, patient_id, version)
    SELECT ${end} + place, ${publishedAt}, patient_id, version
    FROM unnest(${changes.map((change) => change.patientId)}::bigint[],
      ${changes.map((change) => change.version)}::int[]) WITH ORDINALITY AS change (patient_id, version, place)`;
}

async function selectEnd(database: Database | Transaction): Promise<FeedRow | undefined> {
  const [last] = await database.$queryRaw<FeedRow[]>`
    SELECT position, published_at AS "publishedAt", patient_id AS "patientId", version
    FROM feed ORDER BY position DESC LIMIT 1`;
  return last;
}

/** Rows of the feed, at most one more than the page holds: then there is a next page. */
export async function selectFeed(database: Database, page: ChangesPage): Promise<FeedRow[]> {
  const after = page.oldestFirst
    ? Prisma.sql`position > ${page.after ?? 0n}`
    : Prisma.sql`position < ${page.after ?? 9223372036854775807n}`;
  const order = page.oldestFirst ? Prisma.sql`position` : Prisma.sql`position DESC`;
  return await database.$queryRaw<FeedRow[]>`
    SELECT position, published_at AS "publishedAt", patient_id AS "patientId", version
    FROM feed WHERE ${after} AND published_at >= ${page.since ?? new Date(0)}
    ORDER BY ${order} LIMIT ${page.size + 1}`;
}

/** Position of the last change, and how many there are since an instant; positions have no gaps. */
export async function selectExtent(
  database: Database,
  since: Date | undefined,
): Promise<{ end: bigint; total: number }> {
  const last = await selectEnd(database);
  if (!last) return { end: 0n, total: 0 };
  if (!since) return { end: last.position, total: Number(last.position) };
  const [first] = await database.$queryRaw<{ position: bigint }[]>`
    SELECT position FROM feed WHERE published_at >= ${since} ORDER BY published_at, position LIMIT 1`;
  return { end: last.position, total: first ? Number(last.position - first.position) + 1 : 0 };
}
