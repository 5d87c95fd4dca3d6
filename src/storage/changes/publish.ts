import type { Database, Transaction } from "../connection/database.ts";
import { inTransaction } from "../transactions/transaction.ts";
import { selectEnd } from "./feed.ts";
import { CHANGE, type ResourceKey, type ResourceType } from "./outbox.ts";
import { isOfKind } from "./waiting.ts";

const BATCH = 1000;
const IS_CHANGE = isOfKind(CHANGE);

interface PendingChange extends ResourceKey {
  readonly n: number;
  readonly version: number;
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
  const changes = await transaction.$queryRaw<PendingChange[]>`
    SELECT patient_id AS "patientId", n, resource_type AS "resourceType", dependent, version FROM outbox
    WHERE ${IS_CHANGE} ORDER BY at, patient_id, n LIMIT ${BATCH}`;
  if (changes.length === 0) return 0;
  for (const type of new Set(changes.map(({ resourceType }) => resourceType))) {
    const ofType = changes.filter(({ resourceType }) => resourceType === type);
    await appendToFeed(transaction, type, ofType, now);
  }
  await transaction.$executeRaw`
    DELETE FROM outbox USING unnest(${changes.map((change) => change.patientId)}::bigint[],
      ${changes.map((change) => change.n)}::int[]) AS published (patient_id, n)
    WHERE outbox.patient_id = published.patient_id AND outbox.n = published.n`;
  return changes.length;
}

async function appendToFeed(
  transaction: Transaction,
  type: ResourceType,
  changes: readonly PendingChange[],
  now: Date,
): Promise<void> {
  const last = await selectEnd(transaction, type);
  const publishedAt = new Date(Math.max(now.getTime(), last?.publishedAt.getTime() ?? 0));
  const end = last?.position ?? 0n;
  await transaction.$executeRaw`
    INSERT INTO feed (resource_type, position, published_at, patient_id, dependent, version)
    SELECT ${type}, ${end} + place, ${publishedAt}, patient_id, dependent, version
    FROM unnest(${changes.map((change) => change.patientId)}::bigint[],
      ${changes.map((change) => change.dependent)}::int[], ${changes.map((change) => change.version)}::int[])
      WITH ORDINALITY AS change (patient_id, dependent, version, place)`;
}
