import { MpiError } from "../../errors/index.ts";

/** The messages of a stream until the service stops, and whether it was that which ended them. */
export class UntilStopping<Item> {
  readonly items: AsyncIterable<Item>;
  #isCut = false;

  constructor(items: AsyncIterable<Item>, stopping: AbortSignal) {
    this.items = this.#until(items, stopping);
  }

  /** To be called when all that came has been answered: throws SERVICE_STOPPING when there might have been more. */
  refuseTheRest(): void {
    if (this.#isCut) throw new MpiError("SERVICE_STOPPING");
  }

  async *#until(items: AsyncIterable<Item>, stopping: AbortSignal): AsyncGenerator<Item> {
    let stopWaiting = () => {};
    const stop = () => stopWaiting();
    stopping.addEventListener("abort", stop, { once: true });
    try {
      const source = items[Symbol.asyncIterator]();
      for (;;) {
        // A promise of its own for each: one that lives as long as the stream would keep something of every message.
        const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Item> | "stopped">();
        stopWaiting = () => resolve("stopped");
        if (stopping.aborted) stopWaiting();
        else source.next().then(resolve, reject);
        const next = await promise;
        this.#isCut = next === "stopped";
        if (next === "stopped" || next.done) return;
        yield next.value;
      }
    } finally {
      stopping.removeEventListener("abort", stop);
    }
  }
}
