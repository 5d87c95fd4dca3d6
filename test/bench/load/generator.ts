import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Job, Load, Measurement, Offer, Outcome } from "./job.ts";

export type Order =
  | { readonly kind: "define"; readonly name: string; readonly job: Job }
  | { readonly kind: "run"; readonly name: string; readonly load: Load }
  | { readonly kind: "offer"; readonly name: string; readonly offer: Offer };

export interface Answer {
  readonly measurement?: Measurement;
  readonly outcome?: Outcome;
  readonly error?: string;
}

/** A load generator in a process of its own. */
export class Generator {
  readonly #process: ChildProcess;

  constructor() {
    this.#process = fork(join(import.meta.dirname, "process.ts"), { serialization: "advanced" });
  }

  async define(name: string, job: Job): Promise<void> {
    await this.#order({ kind: "define", name, job });
  }

  /** Runs a job that was defined; throws when any of its requests failed. */
  async run(name: string, load: Load): Promise<Measurement> {
    const { measurement } = await this.#order({ kind: "run", name, load });
    if (!measurement) throw new Error(`The load generator measured nothing for ${name}.`);
    if (measurement.failure !== undefined)
      throw new Error(`A request of ${name} failed: ${measurement.failure}`);
    return measurement;
  }

  /** Sends the requests of a job over HTTP that was defined, at the rate of the offer whatever comes of them. */
  async offer(name: string, offer: Offer): Promise<Outcome> {
    const { outcome } = await this.#order({ kind: "offer", name, offer });
    if (!outcome) throw new Error(`The load generator offered nothing for ${name}.`);
    return outcome;
  }

  stop(): void {
    this.#process.disconnect();
  }

  async #order(order: Order): Promise<Answer> {
    const ended = new AbortController();
    const answered = once(this.#process, "message", { signal: ended.signal });
    const exited = once(this.#process, "exit", { signal: ended.signal }).then(() => {
      throw new Error("The load generator ended on its own.");
    });
    this.#process.send(order);
    try {
      const [answer] = (await Promise.race([answered, exited])) as [Answer];
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    } finally {
      ended.abort();
      await Promise.allSettled([answered, exited]);
    }
  }
}
