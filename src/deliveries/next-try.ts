const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;

/** Two processes that look at the same clock see times that differ by less. */
const APART_MS = 60_000;

/** When to try again what has just failed, and so many times before: the wait doubles with each failure. */
export function nextTry(failures: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS));
}

/** The latest that a next try can be. One that is later was set before the clock was set back, and is due. */
export function latestTry(now: Date): Date {
  return new Date(now.getTime() + LONGEST_WAIT_MS + APART_MS);
}
