/** What is to be stopped, in the order in which it was started. */
export type Stops = (() => Promise<void>)[];

export interface Stoppable {
  stop(): Promise<void>;
}

/** Starts something, with its way to be stopped: last started, first stopped; what was started before a failure is stopped again. */
export async function stoppable<Started>(
  begin: (stops: Stops) => Promise<Started>,
): Promise<Started & Stoppable> {
  const stops: Stops = [];
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  try {
    return { ...(await begin(stops)), stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}
