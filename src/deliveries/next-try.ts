const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;

/** When to try again what has just failed, and so many times before: the wait doubles with each failure. */
export function nextTry(failures: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS));
}
