import { Turns } from "../concurrency/turns.ts";

/** Entries of transactions that a process works on at once: two of the largest keep it and its database busy. */
const ENTRIES_AT_ONCE = 400;
/** Entries that may wait: about what is done in the time that anybody waits. */
const ENTRIES_WAITING = 1_600;
/** Connections of the pool that transactions may hold; what is left is for everything else. */
const SHARE_OF_POOL = 3 / 4;

/** The turns of transactions on a pool of so many connections: many small ones at once, or a few large ones. */
export function turnsOfTransactions(pool: number): Turns {
  const most = Math.max(1, Math.floor(pool * SHARE_OF_POOL));
  return new Turns({ atOnce: ENTRIES_AT_ONCE, most, waiting: ENTRIES_WAITING });
}
