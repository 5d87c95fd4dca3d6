import { Prisma } from "../../../prisma/gen/client.ts";
import { MpiError } from "../../errors/index.ts";
import { type IndexKeys, type KeyRing, KeysReplaced } from "../../identifier-index/index.ts";
import { ambientTransaction } from "../connection/ambient-transaction.ts";
import type { Database, Transaction } from "../connection/database.ts";

const ATTEMPTS = 5;

const notedKeys = new WeakMap<Transaction, Set<IndexKeys>>();

/**
 * The condition on which what was sealed and hashed with these keys may be written: they are those of the states of now
 * (key-states.ts), but that a key may join that a process does not have yet. Whoever writes asks in the same statement or
 * transaction.
 */
export function areInUse({ primary, secondary = primary }: IndexKeys): Prisma.Sql {
  return Prisma.sql`
    NOT EXISTS (SELECT FROM index_key WHERE CASE state
      WHEN 'joining' THEN false
      WHEN 'filling' THEN key_id <> ${primary.keyId}
      ELSE (state = 'primary') <> (key_id IN (${primary.keyId}, ${secondary.keyId})) END)`;
}

/** Does work with the keys of now. When they are replaced before all of it is written, nothing is, and it is done anew. */
export async function underKeysInUse<T>(
  database: Database,
  ring: KeyRing,
  work: (keys: IndexKeys) => Promise<T>,
): Promise<T> {
  // Done anew as a whole, or not at all.
  if (ambientTransaction(database)) return await ring.under(work);
  for (let attempt = 1; ; attempt++) {
    let used: IndexKeys | undefined;
    try {
      return await ring.under((keys) => {
        used = keys;
        return work(keys);
      });
    } catch (cause) {
      if (attempt === ATTEMPTS || !used || !(await isForKeys(database, used, cause))) throw cause;
      await ring.refresh();
    }
  }
}

/** Whether a failure is one of outdated keys: they were replaced, or something does not open that others sealed under a newer key. */
async function isForKeys(database: Database, used: IndexKeys, cause: unknown): Promise<boolean> {
  if (cause instanceof KeysReplaced) return true;
  const isUnopened = cause instanceof MpiError && cause.says("INDEX_DECRYPTION_FAILED");
  // Without an answer it is what it seems: the value is broken.
  return isUnopened && !(await isInUse(database, used).catch(() => true));
}

/** Notes keys that a transaction seals and hashes with; it is not committed unless they are in use at its end. */
export function noteKeys(transaction: Transaction, keys: IndexKeys): void {
  const noted = notedKeys.get(transaction);
  if (noted) noted.add(keys);
  else notedKeys.set(transaction, new Set([keys]));
}

/** To be called before the commit: throws KeysReplaced when what was noted since the last time is not in use any more. */
export async function refuseReplacedKeys(transaction: Transaction): Promise<void> {
  const noted = notedKeys.get(transaction) ?? [];
  notedKeys.delete(transaction);
  for (const keys of noted) await refuseReplaced(transaction, keys);
}

/** Throws KeysReplaced when keys are not in use any more; once they are not, they never are again. */
export async function refuseReplaced(database: Database | Transaction, keys: IndexKeys): Promise<void> {
  if (!(await isInUse(database, keys))) throw new KeysReplaced("Others have taken the place of these keys.");
}

async function isInUse(database: Database | Transaction, keys: IndexKeys): Promise<boolean> {
  const [row] = await database.$queryRaw<{ inUse: boolean }[]>`SELECT ${areInUse(keys)} AS "inUse"`;
  return row?.inUse === true;
}
