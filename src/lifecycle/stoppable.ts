/** Ways to stop what was started, in the order of the start. */
export type Stops = (() => Promise<void>)[];

export interface Stoppable {
  stop(): Promise<void>;
}

/** Starts something, with its way to be stopped; what was started before a failure is stopped again. */
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

/** Stops the last started first, and each whatever became of the others; then throws what failed. */
export async function stopAll(stops: Stops): Promise<void> {
  const failures: unknown[] = [];
  for (const stop of stops.splice(0).reverse()) {
    try {
      await stop();
    } catch (failure) {
      failures.push(failure);
    }
  }
  const [first, ...others] = failures;
  if (others.length > 0) throw new AggregateError(failures, "Several things did not stop.", { cause: first });
  if (failures.length > 0) throw first;
}

/** Why a start failed, once all that had been started is stopped again; with what did not stop. */
export async function failureOfStart(cause: unknown, stops: Stops): Promise<unknown> {
  try {
    await stopAll(stops);
    return cause;
  } catch (failure) {
    const message = "The start failed, and what had been started did not stop.";
    return new AggregateError([cause, failure], message, { cause });
  }
}
