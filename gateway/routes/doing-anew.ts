import { setTimeout as delay } from "node:timers/promises";
import type { FhirRequest } from "../exchange/fhir-request.ts";

/** How often something is done in all while somebody else is quicker each time. */
const ATTEMPTS = 10;

/** The longest wait before the second attempt; it doubles with each further attempt, up to LONGEST_WAIT_MS. */
const LONGEST_FIRST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 200;

/**
 * Does work that reads what it then writes, and does it anew where somebody else has written meanwhile. Rivals would
 * meet again in step: so each waits for a time of its own. Nothing is done anew for a client who has hung up. No lock
 * makes the last attempt sure: the work is done here, between calls of the core, and who holds a lock there from call to
 * call holds up everybody when he dies.
 */
export async function doingAnew<Result>(
  { call: { signal } }: Pick<FhirRequest, "call">,
  work: () => Promise<Result>,
  isOvertaken: (error: unknown) => boolean,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isOvertaken(error)) throw error;
      const longest = Math.min(2 ** (attempt - 1) * LONGEST_FIRST_WAIT_MS, LONGEST_WAIT_MS);
      await waitUnlessAborted(Math.random() * longest, signal);
      if (signal?.aborted) throw error;
    }
  }
}

async function waitUnlessAborted(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(milliseconds, undefined, signal && { signal });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
