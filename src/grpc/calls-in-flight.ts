/** The calls that a server is working on, so that a shutdown knows when the last one has been answered. */
export class CallsInFlight {
  readonly #calls = new Set<Promise<void>>();
  readonly #unsent: (error: unknown) => void;

  /** `unsent` hears of an answer that could not even be handed to the server. */
  constructor(unsent: (error: unknown) => void) {
    this.#unsent = unsent;
  }

  /** Counts the call until it has been answered. */
  track(call: Promise<void>): void {
    const counted = call.catch(this.#unsent).finally(() => this.#calls.delete(counted));
    this.#calls.add(counted);
  }

  /** Resolves once nothing is being worked on. */
  async idle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.all(this.#calls);
  }
}
