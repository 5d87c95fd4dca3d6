import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A body that takes longer is slow: one of 1 MiB takes a tenth of that by 100 Mbit/s. */
const SLOW_BODY_MS = 1_000;
/** So is who has not taken an answer so long after it was first seen to be ready while others wanted room. */
const SLOW_READER_MS = 5_000;
/** Where nobody was slow nobody is looked at again before: a look goes through all connections. */
const LOOK_AGAIN_MS = 50;

interface Running {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
  readyAt: number | undefined;
  isGivenUp: boolean;
}

const FIRST = Symbol("the first request of a connection that is not over");

/** A connection with the first of its requests that is being worked on. */
type Connection = Socket & { [FIRST]?: Running | undefined };

/** The request of a connection whose headers have come and whose body has not, if there is one. */
export function arrivingOn(connection: Connection): IncomingMessage | undefined {
  const request = connection[FIRST]?.request;
  return request?.complete === false ? request : undefined;
}

/** Why a request is given up: its body does not come, or its answer is not taken. */
export type Slowness = "body" | "answer";

/** The requests that are being worked on, and those that wait for their clients. */
export class RequestsInFlight {
  readonly #giveUp: (request: IncomingMessage, slow: Slowness) => void;
  /** A set of requests, which come and go all the time, would keep them from being forgotten young: a read took 7 % more. */
  readonly #connections = new Set<Connection>();
  #size = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** `giveUp` closes the connection of a request that is not waited for any more. */
  constructor(giveUp: (request: IncomingMessage, slow: Slowness) => void) {
    this.#giveUp = giveUp;
  }

  get size(): number {
    return this.#size;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    const connection: Connection = request.socket;
    const running = { request, response, since: performance.now(), readyAt: undefined, isGivenUp: false };
    this.#size += 1;
    if (!(FIRST in connection)) this.#connect(connection);
    connection[FIRST] ??= running;
    response.once("close", () => {
      if (!running.isGivenUp) this.#size -= 1;
      if (connection[FIRST] === running) connection[FIRST] = undefined;
    });
  }

  #connect(connection: Connection): void {
    this.#connections.add(connection);
    connection.once("close", () => this.#connections.delete(connection));
  }

  /** Gives up one that waits for a slow client; false if there is none. */
  giveUpSlow(): boolean {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_AGAIN_MS) return false;
    for (const { [FIRST]: running } of this.#connections) {
      const slow = running && !running.isGivenUp && slownessOf(running, now);
      if (!slow) continue;
      running.isGivenUp = true;
      this.#size -= 1;
      this.#giveUp(running.request, slow);
      return true;
    }
    this.#lookedAt = now;
    return false;
  }
}

function slownessOf(running: Running, now: number): Slowness | undefined {
  const { request, response, since } = running;
  if (now - since < SLOW_BODY_MS) return undefined;
  if (!request.complete) return "body";
  if (!response.writableEnded) return undefined;
  // Most answers are on their way at once: this one may have been ready for no time at all.
  running.readyAt ??= now;
  return now - running.readyAt < SLOW_READER_MS ? undefined : "answer";
}
