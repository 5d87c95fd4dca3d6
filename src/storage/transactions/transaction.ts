import { confirmEntries, forgettingWrites, writeEntries } from "../audit/write-entries.ts";
import { confirmNames, writeNames } from "../blocking/noted-names.ts";
import { ambientTransaction } from "../connection/ambient-transaction.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { isVictim, unlessVictim } from "../connection/deadlock-victims.ts";
import { refuseReplacedKeys } from "../sealing/keys-in-use.ts";

/**
 * Runs work in a READ COMMITTED transaction, with the audit entries of the writes that it notes, and commits it unless keys
 * that it notes are replaced by then. A deadlock victim wrote nothing, so it is tried again; any other failure is thrown
 * as it is. A failure of the COMMIT itself leaves the outcome unknown and is not repeated.
 * Within an ambient transaction the work is a part of that: it is undone alone when it fails, and tried again with the
 * whole.
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const whole = ambientTransaction(database);
  if (whole) return await inSavepoint(whole, () => work(whole));
  return await unlessVictim(() => attemptOnce(database, work));
}

/**
 * Of what a part noted that is undone the writes alone are forgotten: a name of nobody does no harm, and keys that are
 * in use no more have the whole done anew at worst.
 */
async function inSavepoint<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  await transaction.$executeRaw`SAVEPOINT part`;
  try {
    const result = await forgettingWrites(transaction, work);
    await transaction.$executeRaw`RELEASE SAVEPOINT part`;
    return result;
  } catch (cause) {
    // A victim has lost the whole transaction: there is nothing to go back to.
    if (!isVictim(cause)) await rollBackPart(transaction);
    throw cause;
  }
}

async function rollBackPart(transaction: Transaction): Promise<void> {
  try {
    await transaction.$executeRaw`ROLLBACK TO SAVEPOINT part`;
  } catch {
    // The whole is lost with its connection, and cannot be committed; what came first says why.
  }
}

async function attemptOnce<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const { result, transaction } = await database.$transaction(
    async (transaction) => {
      const result = await work(transaction);
      await doNoted(database, transaction);
      return { result, transaction };
    },
    { maxWait: 10_000, timeout: 30_000 },
  );
  confirmNoted(database, transaction);
  return result;
}

/**
 * Does what the work noted for the end of its transaction: entries of its writes (noteWrite), whose patients it has locked;
 * names (noteNames), for which others wait from here on; and at last it asks whether the keys (noteKeys) are in use still.
 */
async function doNoted(database: Database, transaction: Transaction): Promise<void> {
  await writeEntries(database, transaction);
  await writeNames(transaction);
  await refuseReplacedKeys(transaction);
}

/** Tells of what is committed now: the call of its entries, and the process of its names. */
function confirmNoted(database: Database, transaction: Transaction): void {
  confirmEntries(database, transaction);
  confirmNames(transaction);
}
