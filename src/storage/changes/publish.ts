import type { Database, Transaction } from "../connection/database.ts";
import { inTransaction } from "../transactions/transaction.ts";
import { selectEnd } from "./feed.ts";
import { CHANGE, type ResourceType } from "./outbox.ts";
import { isOfKind } from "./waiting.ts";

const BATCH = 1000;
const IS_CHANGE = isOfKind(CHANGE);

/** Changes of resources of a type that are to be published, in their order: as arrays that the database reads again, and nobody else. */
interface PendingChanges {
  readonly resourceType: ResourceType;
  readonly count: number;
  readonly patientIds: string;
  readonly numbers: string;
  readonly dependents: string;
  readonly versions: string;
}

/**
 * Moves what is committed from the outbox to the feeds. Positions are given here, under the lease, after the commit
 * of the writes: so a position never shows up behind one that a reader has passed.
 */
export async function publishChanges(database: Database, now: Date): Promise<void> {
  while ((await inTransaction(database, (transaction) => publishBatch(transaction, now))) === BATCH);
}

async function publishBatch(transaction: Transaction, now: Date): Promise<number> {
  const [pending] = await transaction.$queryRaw<{ any: boolean }[]>`
    SELECT EXISTS (SELECT FROM outbox WHERE ${IS_CHANGE}) AS any`;
  if (!pending?.any) return 0;
  await transaction.$queryRaw`SELECT name FROM lease WHERE name = 'feed' FOR UPDATE`;
  let published = 0;
  for (const changes of await selectPending(transaction)) {
    await appendToFeed(transaction, changes, now);
    await deletePublished(transaction, changes);
    published += changes.count;
  }
  return published;
}

/** The oldest changes, at most a batch of them. Taken apart here row by row they cost as much again as all that the database does. */
async function selectPending(transaction: Transaction): Promise<PendingChanges[]> {
  return await transaction.$queryRaw<PendingChanges[]>`
    SELECT resource_type AS "resourceType", count(*)::int AS count,
      array_agg(patient_id ORDER BY at, patient_id, n)::text AS "patientIds",
      array_agg(n ORDER BY at, patient_id, n)::text AS numbers,
      array_agg(dependent ORDER BY at, patient_id, n)::text AS dependents,
      array_agg(version ORDER BY at, patient_id, n)::text AS versions
    FROM (
      SELECT at, patient_id, n, resource_type, dependent, version FROM outbox
      WHERE ${IS_CHANGE} ORDER BY at, patient_id, n LIMIT ${BATCH}
    ) AS oldest
    GROUP BY resource_type`;
}

async function appendToFeed(
  transaction: Transaction,
  { resourceType, patientIds, dependents, versions }: PendingChanges,
  now: Date,
): Promise<void> {
  const last = await selectEnd(transaction, resourceType);
  const publishedAt = new Date(Math.max(now.getTime(), last?.publishedAt.getTime() ?? 0));
  const end = last?.position ?? 0n;
  await transaction.$executeRaw`
    INSERT INTO feed (resource_type, position, published_at, patient_id, dependent, version)
    SELECT ${resourceType}, ${end} + place, ${publishedAt}, patient_id, dependent, version
    FROM unnest(${patientIds}::bigint[], ${dependents}::int[], ${versions}::int[])
      WITH ORDINALITY AS change (patient_id, dependent, version, place)`;
}

async function deletePublished(
  transaction: Transaction,
  { patientIds, numbers }: PendingChanges,
): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM outbox USING unnest(${patientIds}::bigint[], ${numbers}::int[]) AS published (patient_id, n)
    WHERE outbox.patient_id = published.patient_id AND outbox.n = published.n`;
}
