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
    const { promise: stopped, resolve } = Promise.withResolvers<"stopped">();
    const stop = () => resolve("stopped");
    if (stopping.aborted) stop();
    stopping.addEventListener("abort", stop, { once: true });
    try {
      const source = items[Symbol.asyncIterator]();
      for (;;) {
        const next = await Promise.race([source.next(), stopped]);
        this.#isCut = next === "stopped";
        if (next === "stopped" || next.done) return;
        yield next.value;
      }
    } finally {
      stopping.removeEventListener("abort", stop);
    }
  }
}
