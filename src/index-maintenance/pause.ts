import { setTimeout as delay } from "node:timers/promises";

/** Waits; throws the reason of the signal when it aborts meanwhile, as a job has to. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw cause;
  }
}
