import { currentSignal } from "../call/current-call.ts";

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

/** Those who began to wait under one signal, one right after the other: mostly it is one alone. */
class Waiting {
  readonly signal: AbortSignal;
  #first: (() => void) | undefined;
  #others: Set<() => void> | undefined;
  #size = 0;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  add(abort: () => void): void {
    if (this.#size === 0) this.signal.addEventListener("abort", this.#abortAll, { once: true });
    this.#size += 1;
    if (!this.#first) this.#first = abort;
    else if (this.#others) this.#others.add(abort);
    else this.#others = new Set([abort]);
  }

  delete(abort: () => void): void {
    if (this.#first === abort) this.#first = undefined;
    else this.#others?.delete(abort);
    this.#size -= 1;
    if (this.#size === 0) this.signal.removeEventListener("abort", this.#abortAll);
  }

  readonly #abortAll = () => {
    this.#first?.();
    for (const abort of this.#others ?? []) abort();
  };
}

let latest: Waiting | undefined;

/**
 * Calls back when the signal aborts, until what is returned is called. With a listener for each of thousands who wait,
 * each new one would be compared with all of them. Found by a WeakMap, they would cost a read a twentieth of its time.
 */
function whenAborted(signal: AbortSignal, abort: () => void): () => void {
  if (latest?.signal !== signal) latest = new Waiting(signal);
  const waiting = latest;
  waiting.add(abort);
  return () => waiting.delete(abort);
}
