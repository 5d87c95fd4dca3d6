import { currentSignal } from "./current-call.ts";

/**
 * The result of work that need not stop when its caller is told to, as others may wait for it too: whoever is cancelled
 * stops waiting, with the reason of the signal, which is that of the call unless another is given.
 */
export function untilAborted<Result>(running: Promise<Result>, signal = currentSignal()): Promise<Result> {
  if (!signal) return running;
  if (signal.aborted) {
    running.catch(() => undefined);
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const forget = whenAborted(signal, () => reject(signal.reason));
    const settledBy =
      <Outcome>(settle: (outcome: Outcome) => void) =>
      (outcome: Outcome) => {
        forget();
        settle(outcome);
      };
    running.then(settledBy(resolve), settledBy(reject));
  });
}

/** Those who wait under one signal. */
class Waiting {
  readonly #signal: AbortSignal;
  readonly #aborts = new Set<() => void>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(abort: () => void): void {
    if (this.#aborts.size === 0) this.#signal.addEventListener("abort", this.#abortAll, { once: true });
    this.#aborts.add(abort);
  }

  delete(abort: () => void): void {
    this.#aborts.delete(abort);
    if (this.#aborts.size === 0) this.#signal.removeEventListener("abort", this.#abortAll);
  }

  readonly #abortAll = () => {
    for (const abort of this.#aborts) abort();
  };
}

const waitingUnder = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls back when the signal aborts, until what is returned is called. With a listener for each of thousands who wait,
 * each new one would be compared with all of them.
 */
function whenAborted(signal: AbortSignal, abort: () => void): () => void {
  const waiting = waitingUnder.get(signal) ?? new Waiting(signal);
  waitingUnder.set(signal, waiting);
  waiting.add(abort);
  return () => waiting.delete(abort);
}
