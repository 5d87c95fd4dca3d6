import { latestSet } from "../time/set-back.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;

/** When to try again what has just failed, and so many times before: the wait doubles with each failure. */
export function nextTry(failures: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS));
}

/** The latest that a next try can be. One that is later was set before the clock was set back, and is due. */
export function latestTry(now: Date): Date {
  return latestSet(now, LONGEST_WAIT_MS);
}
