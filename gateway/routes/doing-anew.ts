import { setTimeout as delay } from "node:timers/promises";
import type { FhirRequest } from "../exchange/fhir-request.ts";

/** How often something is done in all while somebody else is quicker each time. */
const ATTEMPTS = 5;

/** Of the wait before the second attempt; before each later one it is twice as long. */
const LONGEST_WAIT_MS = 25;

/**
 * Does work that reads what it then writes, and does it anew where somebody else has written meanwhile. Rivals would
 * meet again in step: so each waits for a time of its own. Nothing is done anew for a client who has hung up.
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
      await waitUnlessAborted(Math.random() * 2 ** (attempt - 1) * LONGEST_WAIT_MS, signal);
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
