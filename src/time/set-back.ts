/** Two looks at one clock that are compared may be so far apart, where a process stood still between look and use. */
const APART_MS = 60_000;

/**
 * The latest time that anybody can have set until now who adds so many milliseconds to the clock. What is later was set
 * before the clock was set back, and would last until it has come as far again.
 */
export function latestSet(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds + APART_MS);
}
