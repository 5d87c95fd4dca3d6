import { setTimeout as sleep } from "node:timers/promises";

const LONGEST_MS = 60_000;
const POLL_MS = 100;

/**
 * Repeats a start of PostgreSQL while sessions outlive a server that was killed, for a minute at most: it does not
 * start beside them. The error of a start has to say what PostgreSQL said.
 */
export async function afterSurvivingSessions<T>(start: () => Promise<T>): Promise<T> {
  const until = performance.now() + LONGEST_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!areInTheWay(error) || performance.now() > until) throw error;
      await sleep(POLL_MS);
    }
  }
}

function areInTheWay(error: unknown): boolean {
  return error instanceof Error && error.message.includes("pre-existing shared memory block");
}
