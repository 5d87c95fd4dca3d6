import { underNoSignal } from "../call/current-call.ts";
import { untilAborted } from "./until-aborted.ts";

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
    return await untilAborted(running);
  }
}
