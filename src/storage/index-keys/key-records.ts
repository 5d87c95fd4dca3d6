import { underSignal } from "../../call/current-call.ts";
import {
  checkOf,
  type HeldKeys,
  type IndexKey,
  type KeyRecord,
  type KeyState,
  keyOfAnother,
  keyOfId,
  keysFor,
} from "../../identifier-index/index.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { inTransaction } from "../transactions/transaction.ts";
import { opensWhatIsStored } from "./proof-of-key.ts";

/** Prisma's codes for a table and for a column that is not there. */
const MISSING: ReadonlySet<unknown> = new Set(["P2021", "P2022"]);

const LOOKING_MS = 600_000;

/** Whether nothing in the database was sealed yet, so that new keys can be made. */
export async function isUnsealed(database: Database): Promise<boolean> {
  return (await database.indexKey.count()) === 0;
}

export async function selectKeyRecords(database: Database | Transaction): Promise<KeyRecord[]> {
  const select = { keyId: true, state: true, checkCiphertext: true, checkHmac: true } as const;
  const rows = await database.indexKey.findMany({ select }).catch(refuseOtherTables);
  return rows.map(({ keyId, state, checkCiphertext: ciphertext, checkHmac: hmac }) => ({
    keyId,
    state: state as KeyState,
    check: ciphertext && hmac ? { ciphertext, hmac } : undefined,
  }));
}

/** Commands that migrate nothing meet databases of earlier versions, and such as are no index. */
function refuseOtherTables(cause: unknown): never {
  if (!MISSING.has((cause as { code?: unknown }).code)) throw cause;
  throw new Error("The tables are not those of this version; the start of the service makes them so.", {
    cause,
  });
}

/**
 * Records the primary key of a database that knows none yet. A database is not served with other keys than those
 * that its values were sealed under (KeyMissing), except those that it has retired.
 */
export async function recordIndexKeys(database: Database, held: HeldKeys, now: Date): Promise<void> {
  const records = await inTransaction(database, async (transaction) => {
    await lockKeyRecords(transaction);
    const found = await selectKeyRecords(transaction);
    if (found.length === 0) await insertKey(transaction, held.primary, "primary", now);
    return found;
  });
  for (const record of records) await completeCheck(database, held, record);
  keysFor(await selectKeyRecords(database), held);
}

/**
 * A key that the database knew before there were checks gets one when it opens what was sealed with it. To look for
 * that may take a while, so it is done under no lock: of several processes the first one writes the check, and keysFor
 * holds the others to it.
 */
async function completeCheck(
  database: Database,
  held: HeldKeys,
  { keyId, state, check }: KeyRecord,
): Promise<void> {
  const key = keyOfId(held, keyId);
  if (check || !key || state === "retired") return;
  // Nothing is sealed under a key that joins.
  if (state !== "joining" && !(await isWhatWasUsed(database, key))) throw keyOfAnother(keyId);
  await database.indexKey.updateMany({ where: { keyId, checkHmac: null }, data: checkColumns(key) });
}

/** It may read a whole table. */
function isWhatWasUsed(database: Database, key: IndexKey): Promise<boolean> {
  return underSignal(AbortSignal.timeout(LOOKING_MS), () => opensWhatIsStored(database, key));
}

export async function insertKey(
  transaction: Transaction,
  key: IndexKey,
  state: KeyState,
  createdAt: Date,
): Promise<void> {
  await transaction.indexKey.create({ data: { keyId: key.keyId, state, createdAt, ...checkColumns(key) } });
}

function checkColumns(key: IndexKey) {
  const { ciphertext: checkCiphertext, hmac: checkHmac } = checkOf(key);
  return { checkCiphertext, checkHmac };
}

/** Whoever changes the state of a key holds this until the end of the transaction. */
export async function lockKeyRecords(transaction: Transaction): Promise<void> {
  await transaction.$queryRaw`SELECT name FROM lease WHERE name = 'index-keys' FOR UPDATE`;
}
