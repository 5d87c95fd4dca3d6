import { currentSignal } from "./current-call.ts";

/**
 * The result of work that need not stop when its caller is told to, as others may wait for it too: whoever is cancelled
 * stops waiting, with the reason of the signal, which is that of the call unless another is given.
 */
export function untilAborted<Result>(running: Promise<Result>, signal = currentSignal()): Promise<Result> {
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
