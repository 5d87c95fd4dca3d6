import { failureOfStart, type Stops, stopAll } from "../call/stop-all.ts";

export type { Stops };

export interface Stoppable {
  stop(): Promise<void>;
}

/** Starts something, with its way to be stopped: last started, first stopped; what was started before a failure is stopped again. */
export async function stoppable<Started>(
  begin: (stops: Stops) => Promise<Started>,
): Promise<Started & Stoppable> {
  const stops: Stops = [];
  try {
    return { ...(await begin(stops)), stop: () => stopAll(stops) };
  } catch (cause) {
    throw await failureOfStart(cause, stops);
  }
}
