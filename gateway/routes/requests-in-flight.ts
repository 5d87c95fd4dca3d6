import type { IncomingMessage, ServerResponse } from "node:http";

/** A body that takes longer is slow: one of 1 MiB takes a tenth of that by 100 Mbit/s. */
const SLOW_BODY_MS = 1_000;
/** So is who has not taken an answer so long after it was first seen to be ready while others wanted room. */
const SLOW_READER_MS = 5_000;

interface Running {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
  readyAt: number | undefined;
}

/** Why a request is given up: its body does not come, or its answer is not taken. */
export type Slowness = "body" | "answer";

/** The requests that are being worked on, and those that wait for their clients. */
export class RequestsInFlight {
  readonly #giveUp: (request: IncomingMessage, slow: Slowness) => void;
  /** In the order in which they began. */
  readonly #running = new Set<Running>();

  /** `giveUp` closes the connection of a request that is not waited for any more. */
  constructor(giveUp: (request: IncomingMessage, slow: Slowness) => void) {
    this.#giveUp = giveUp;
  }

  get size(): number {
    return this.#running.size;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    const running = { request, response, since: performance.now(), readyAt: undefined };
    this.#running.add(running);
    response.once("close", () => this.#running.delete(running));
  }

  /** Gives up the first one that waits for a slow client; false if there is none. */
  giveUpSlow(): boolean {
    const now = performance.now();
    for (const running of this.#running) {
      if (now - running.since < SLOW_BODY_MS) return false;
      const slow = slownessOf(running, now);
      if (slow === undefined) continue;
      this.#running.delete(running);
      this.#giveUp(running.request, slow);
      return true;
    }
    return false;
  }
}

/** Of one that is not young. */
function slownessOf(running: Running, now: number): Slowness | undefined {
  const { request, response } = running;
  if (!request.complete) return "body";
  if (!response.writableEnded) return undefined;
  // Most answers are on their way at once: this one may have been ready for no time at all.
  running.readyAt ??= now;
  return now - running.readyAt < SLOW_READER_MS ? undefined : "answer";
}
