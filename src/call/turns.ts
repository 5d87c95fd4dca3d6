import { MpiError } from "../errors/index.ts";
import { currentCall, currentSignal } from "./current-call.ts";

export interface TurnLimits {
  /** Sizes that are done at once, together. */
  readonly atOnce: number;
  /** How many are done at once, however small they are. */
  readonly most: number;
  /** Sizes that may wait, together. */
  readonly waiting: number;
}

/** A call that has to be answered by a time waits for its turn no longer than that, and than a third of what it has left. */
const LONGEST_WAIT_MS = 10_000;
const SHARE_OF_TIME_LEFT = 1 / 3;
/** When those who are refused may come back. */
const SECONDS = "5";

interface Waiting {
  readonly size: number;
  readonly begin: () => void;
}

/**
 * Work that is done so much at once, in the order in which it came. If all of it were begun at once it would all be late:
 * what would have to wait too long is refused (TOO_MANY_REQUESTS) before it begins, and the rest is done in time.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #queue = new Set<Waiting>();
  /** The sizes of what is being done, and of what waits. */
  #running = 0;
  #waiting = 0;
  #count = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Does work of a size when its turn has come; who is cancelled waits no longer. */
  async take<Result>(size: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#queue.size === 0 && this.#hasRoom(size)) this.#begin(size);
    else if (this.#waiting + size > this.#limits.waiting) throw tooMany();
    else await this.#inQueue(size);
    try {
      return await work();
    } finally {
      this.#running -= size;
      this.#count -= 1;
      this.#beginNext();
    }
  }

  #inQueue(size: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const signal = currentSignal();
    const leave = () => {
      this.#queue.delete(waiting);
      this.#waiting -= size;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const giveUp = (reason: unknown) => {
      leave();
      reject(reason);
      // What is behind it may need less room.
      this.#beginNext();
    };
    const abort = () => giveUp(signal?.reason);
    const begin = () => {
      leave();
      this.#begin(size);
      resolve();
    };
    const waiting: Waiting = { size, begin };
    const longest = longestWaitMs();
    const timer = longest === undefined ? undefined : setTimeout(() => giveUp(tooMany()), longest);
    signal?.addEventListener("abort", abort, { once: true });
    this.#queue.add(waiting);
    this.#waiting += size;
    if (signal?.aborted) abort();
    return promise;
  }

  #beginNext(): void {
    for (const waiting of this.#queue) {
      if (!this.#hasRoom(waiting.size)) return;
      waiting.begin();
    }
  }

  #begin(size: number): void {
    this.#running += size;
    this.#count += 1;
  }

  /** What is larger than all that may be done at once is done alone. */
  #hasRoom(size: number): boolean {
    const { atOnce, most } = this.#limits;
    return this.#count === 0 || (this.#count < most && this.#running + size <= atOnce);
  }
}

function longestWaitMs(): number | undefined {
  const deadline = currentCall()?.deadline;
  if (deadline === undefined) return undefined;
  return Math.min(LONGEST_WAIT_MS, Math.max(0, deadline - Date.now()) * SHARE_OF_TIME_LEFT);
}

function tooMany(): MpiError {
  return new MpiError("TOO_MANY_REQUESTS", { seconds: SECONDS });
}
