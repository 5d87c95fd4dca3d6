import {
  allHeld,
  type HeldKeys,
  type KeyRecord,
  type KeyState,
  keysFor,
} from "../../identifier-index/index.ts";
import type { Database, Transaction } from "../database.ts";

/** Whether nothing in the database was sealed yet, so that new keys can be made. */
export async function isUnsealed(database: Database): Promise<boolean> {
  return (await database.indexKey.count()) === 0;
}

export async function selectKeyRecords(database: Database | Transaction): Promise<KeyRecord[]> {
  const rows = await database.indexKey.findMany({ select: { keyId: true, state: true } });
  return rows.map(({ keyId, state }) => ({ keyId, state: state as KeyState }));
}

/**
 * Records the primary key of a database that knows none yet. A database is not served with other keys than those
 * that its values were sealed under (KeyMissing), except those that it has retired.
 */
export async function recordIndexKeys(database: Database, held: HeldKeys, now: Date): Promise<void> {
  await database.$transaction(async (transaction) => {
    await lockKeyRecords(transaction);
    if ((await transaction.indexKey.count()) > 0) return;
    await transaction.indexKey.create({
      data: { keyId: held.primary.keyId, state: "primary", createdAt: now },
    });
  });
  keysFor(await selectKeyRecords(database), held);
}

/** Whoever changes the state of a key holds this until the end of the transaction. */
export async function lockKeyRecords(transaction: Transaction): Promise<void> {
  await transaction.$queryRaw`SELECT name FROM lease WHERE name = 'index-keys' FOR UPDATE`;
}

/** Whether all keys of the records are held, those that are retired apart. */
export function holdsAll(held: HeldKeys, records: readonly KeyRecord[]): boolean {
  const ids = new Set(allHeld(held).map(({ keyId }) => keyId));
  return records.every(({ keyId, state }) => state === "retired" || ids.has(keyId));
}
