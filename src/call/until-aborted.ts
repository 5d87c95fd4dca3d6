import { currentSignal } from "./current-call.ts";

/** The result of work that others wait for too: whoever is cancelled stops waiting, and the work goes on. */
export function untilAborted<Result>(running: Promise<Result>): Promise<Result> {
  const signal = currentSignal();
  if (!signal) return running;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    const settledBy =
      <Outcome>(settle: (outcome: Outcome) => void) =>
      (outcome: Outcome) => {
        signal.removeEventListener("abort", abort);
        settle(outcome);
      };
    running.then(settledBy(resolve), settledBy(reject));
  });
}
