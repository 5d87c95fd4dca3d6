import type { ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";

/** How often it is looked at whether the process has time left while somebody waits. */
const LOOK_MS = 10;
/** A process that was busy for less of that time waits for others itself: registers, mostly, or clients. */
const BUSY = 0.8;

interface Waiting {
  readonly response: ServerResponse;
  readonly begin: () => void;
}

/**
 * Lets so many requests be worked on at once, and others wait in the order they came, before a body is read: many that are
 * half done take the memory, and the garbage collector the time, that those need which could be done. More are let in
 * while the process has time left.
 */
export class WaitingRoom {
  readonly #atOnce: number;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Begins a request when its turn has come, unless its client has gone by then. */
  enter(response: ServerResponse, begin: () => void): void {
    this.#waiting.push({ response, begin });
    this.#letIn(this.#atOnce - this.#running);
  }

  #letIn(many: number): void {
    for (let left = many; left > 0; ) {
      const next = this.#waiting.shift();
      if (!next) return;
      if (next.response.closed) continue;
      left -= 1;
      this.#begin(next);
    }
    if (this.#waiting.length > 0) this.#lookAgain();
  }

  #begin({ response, begin }: Waiting): void {
    this.#running += 1;
    response.once("close", () => {
      this.#running -= 1;
      this.#letIn(this.#atOnce - this.#running);
    });
    begin();
  }

  #lookAgain(): void {
    if (this.#timer) return;
    const before = performance.eventLoopUtilization();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const { utilization } = performance.eventLoopUtilization(before);
      this.#letIn(utilization < BUSY ? this.#atOnce : 0);
    }, LOOK_MS);
  }
}
