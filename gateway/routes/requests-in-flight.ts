import type { IncomingMessage, ServerResponse } from "node:http";

/** A body that takes longer is slow: one of 1 MiB takes a tenth of that by 100 Mbit/s. */
const SLOW_BODY_MS = 1_000;
/** So is who has not taken an answer after so long, counted from the request. */
const SLOW_READER_MS = 5_000;

interface Running {
  readonly since: number;
  readonly response: ServerResponse;
}

/** Why a request is given up: its body does not come, or its answer is not taken. */
export type Slowness = "body" | "answer";

/** The requests that are being worked on, and those that wait for their clients. */
export class RequestsInFlight {
  readonly #giveUp: (request: IncomingMessage, slow: Slowness) => void;
  /** In the order in which they began. */
  readonly #running = new Map<IncomingMessage, Running>();

  /** `giveUp` closes the connection of a request that is not waited for any more. */
  constructor(giveUp: (request: IncomingMessage, slow: Slowness) => void) {
    this.#giveUp = giveUp;
  }

  get size(): number {
    return this.#running.size;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    this.#running.set(request, { since: performance.now(), response });
    response.once("close", () => this.#running.delete(request));
  }

  /** Gives up the first one that waits for a slow client; false if there is none. */
  giveUpSlow(): boolean {
    const now = performance.now();
    for (const [request, { since, response }] of this.#running) {
      const slow = slownessOf(request, response, now - since);
      if (slow === "none") continue;
      if (slow === "young") return false;
      this.#running.delete(request);
      this.#giveUp(request, slow);
      return true;
    }
    return false;
  }
}

function slownessOf(
  request: IncomingMessage,
  response: ServerResponse,
  ms: number,
): Slowness | "none" | "young" {
  if (ms < SLOW_BODY_MS) return "young";
  if (!request.complete) return "body";
  return response.writableEnded && ms >= SLOW_READER_MS ? "answer" : "none";
}
