import { setTimeout as delay } from "node:timers/promises";
import { DEADLOCK_DETECTED, sqlState } from "./sql-state.ts";

const ATTEMPTS = 5;
const SERIALIZATION_FAILURE = "40001";

/** Does something that is a transaction of its own again when it was the victim of a deadlock, a few times. */
export async function unlessVictim<T>(attemptOne: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOne();
    } catch (cause) {
      if (attempt === ATTEMPTS || !isVictim(cause)) throw cause;
      await delay(Math.random() * 10 * 2 ** attempt);
    }
  }
}

export function isVictim(cause: unknown): boolean {
  const state = sqlState(cause);
  return state === DEADLOCK_DETECTED || state === SERIALIZATION_FAILURE;
}
