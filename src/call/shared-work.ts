import { currentSignal, underNoSignal } from "./cancellation.ts";

/**
 * Work that those who want the same thing at the same time do once. One that is cancelled stops waiting; the work
 * goes on for the others.
 */
export class SharedWork<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  /** The result of the work of that key, begun now unless it runs already. */
  async do(key: string, work: () => Promise<Result>): Promise<Result> {
    let running = this.#running.get(key);
    if (!running) {
      running = underNoSignal(work).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return await untilAborted(running, currentSignal());
  }
}

function untilAborted<Result>(running: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return running;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
