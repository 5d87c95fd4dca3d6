import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** A body that takes longer is slow: one of 1 MiB takes a tenth of that by 100 Mbit/s. */
const SLOW_MS = 1_000;

interface Arriving {
  readonly since: number;
  readonly end: () => void;
}

/** The requests whose bodies are still on their way. */
export class ArrivingBodies {
  readonly #giveUp: (socket: Socket) => void;
  /** In the order in which they began. */
  readonly #arriving = new Map<IncomingMessage, Arriving>();

  /** `giveUp` answers and closes the connection of a request that is not waited for any more. */
  constructor(giveUp: (socket: Socket) => void) {
    this.#giveUp = giveUp;
  }

  /** Notes a request until its body is there; `end` is called if it is given up before. */
  add(request: IncomingMessage, end: () => void): void {
    if (!hasBody(request)) return;
    this.#arriving.set(request, { since: performance.now(), end });
    const forget = () => this.#arriving.delete(request);
    request.once("end", forget);
    request.once("close", forget);
  }

  /** Gives up the request whose body has been on its way for longest; false if none is slow. */
  giveUpSlowest(): boolean {
    const [slowest] = this.#arriving;
    if (!slowest) return false;
    const [request, { since, end }] = slowest;
    if (performance.now() - since < SLOW_MS) return false;
    this.#arriving.delete(request);
    end();
    this.#giveUp(request.socket);
    return true;
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
