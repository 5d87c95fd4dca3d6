import { callerKey } from "../call/caller.ts";
import { currentCall, currentSignal } from "../call/current-call.ts";
import { MpiError } from "../errors/index.ts";

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
  readonly caller: string;
  readonly begin: () => void;
  readonly giveUp: (reason: unknown) => void;
}

/** The share of the room to wait in that one caller may take while others want it. */
const SHARE_OF_ONE = 1 / 2;

/**
 * Work that is done so much at once. If all of it were begun at once it would all be late: what would have to wait too long
 * is refused (TOO_MANY_REQUESTS) before it begins, and the rest is done in time. Next is always the caller of whom least is
 * being done, with what came first of theirs: nobody waits for all that another one has sent, nor is refused for it.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #queue = new Set<Waiting>();
  /** The sizes of what is being done, of each caller, and of what waits. */
  readonly #runningOf = new Map<string, number>();
  #running = 0;
  #waiting = 0;
  #count = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Does work of a size when its turn has come; who is cancelled waits no longer. */
  async take<Result>(size: number, work: () => Promise<Result>): Promise<Result> {
    const caller = currentCaller();
    if (!this.#isNext(size) && !this.#mayWait(size, caller)) throw tooMany();
    // Asked again: those who had to go for him may have stood in his way.
    if (this.#isNext(size)) this.#begin(size, caller);
    else await this.#inQueue(size, caller);
    try {
      return await work();
    } finally {
      this.#end(size, caller);
      this.#beginNext();
    }
  }

  #isNext(size: number): boolean {
    return this.#queue.size === 0 && this.#hasRoom(size);
  }

  /** Whoever takes more than their share of the room makes some for others, with what they sent last. */
  #mayWait(size: number, caller: string): boolean {
    const { waiting } = this.#limits;
    const share = waiting * SHARE_OF_ONE;
    if (this.#waiting + size <= waiting) return true;
    const sizes = new Map<string, number>();
    for (const one of this.#queue) sizes.set(one.caller, (sizes.get(one.caller) ?? 0) + one.size);
    if ((sizes.get(caller) ?? 0) + size > share) return false;
    const [greedy] = [...sizes].find(([, sum]) => sum > share) ?? [];
    for (const last of [...this.#queue].reverse()) {
      if (this.#waiting + size <= waiting) break;
      if (last.caller === greedy && this.#queue.has(last)) last.giveUp(tooMany());
    }
    return this.#waiting + size <= waiting;
  }

  #inQueue(size: number, caller: string): Promise<void> {
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
      // Others in the queue may need less room.
      this.#beginNext();
    };
    const abort = () => giveUp(signal?.reason);
    const begin = () => {
      leave();
      this.#begin(size, caller);
      resolve();
    };
    const waiting: Waiting = { size, caller, begin, giveUp };
    const longest = longestWaitMs();
    const timer = longest === undefined ? undefined : setTimeout(() => giveUp(tooMany()), longest);
    signal?.addEventListener("abort", abort, { once: true });
    this.#queue.add(waiting);
    this.#waiting += size;
    if (signal?.aborted) abort();
    return promise;
  }

  #beginNext(): void {
    for (let next = this.#next(); next && this.#hasRoom(next.size); next = this.#next()) next.begin();
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const waiting of this.#queue) {
      const running = this.#runningOf.get(waiting.caller) ?? 0;
      if (running >= least) continue;
      next = waiting;
      least = running;
    }
    return next;
  }

  #begin(size: number, caller: string): void {
    this.#running += size;
    this.#count += 1;
    this.#runningOf.set(caller, (this.#runningOf.get(caller) ?? 0) + size);
  }

  #end(size: number, caller: string): void {
    this.#running -= size;
    this.#count -= 1;
    const left = (this.#runningOf.get(caller) ?? 0) - size;
    if (left === 0) this.#runningOf.delete(caller);
    else this.#runningOf.set(caller, left);
  }

  /** What is larger than all that may be done at once is done alone. */
  #hasRoom(size: number): boolean {
    const { atOnce, most } = this.#limits;
    return this.#count === 0 || (this.#count < most && this.#running + size <= atOnce);
  }
}

/** Work that no call asked for counts as that of one caller. */
function currentCaller(): string {
  const caller = currentCall()?.caller;
  return caller ? callerKey(caller) : "";
}

function longestWaitMs(): number | undefined {
  const deadline = currentCall()?.deadline;
  if (deadline === undefined) return undefined;
  return Math.min(LONGEST_WAIT_MS, Math.max(0, deadline - Date.now()) * SHARE_OF_TIME_LEFT);
}

function tooMany(): MpiError {
  return new MpiError("TOO_MANY_REQUESTS", { seconds: SECONDS });
}
