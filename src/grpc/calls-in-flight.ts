/** The calls that a server is working on, so that a shutdown knows when the last one has been answered. */
export class CallsInFlight {
  readonly #calls = new Set<Promise<void>>();

  /** Counts the call until it settles. */
  track(call: Promise<void>): void {
    const counted = call.finally(() => this.#calls.delete(counted));
    this.#calls.add(counted);
  }

  /** Resolves once nothing is being worked on. */
  async idle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.all(this.#calls);
  }
}
