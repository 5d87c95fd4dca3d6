import { setTimeout as delay } from "node:timers/promises";
import type { Database, Transaction } from "./database.ts";
import { sqlState } from "./sql-state.ts";

const ATTEMPTS = 5;
const DEADLOCK_DETECTED = "40P01";
const SERIALIZATION_FAILURE = "40001";

/**
 * Runs work in a READ COMMITTED transaction. A deadlock victim wrote nothing, so it is tried again; any other
 * failure is thrown as it is. A failure of the COMMIT itself leaves the outcome unknown and is not repeated.
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.$transaction(work, { maxWait: 10_000, timeout: 30_000 });
    } catch (cause) {
      if (attempt === ATTEMPTS || !isVictim(cause)) throw cause;
      await delay(Math.random() * 10 * 2 ** attempt);
    }
  }
}

function isVictim(cause: unknown): boolean {
  const state = sqlState(cause);
  return state === DEADLOCK_DETECTED || state === SERIALIZATION_FAILURE;
}
