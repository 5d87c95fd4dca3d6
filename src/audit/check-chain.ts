import { type ChainedEntry, type ChainHead, chainHash, digestOf, NO_HASH } from "./chain.ts";

/** What is wrong at a place of a stream. */
export type ChainFault =
  /** The entry of this place is missing. */
  | "removed"
  /** The entry is not what was written. */
  | "changed"
  /** The entry is not the one that was written at this place: moved, or one before it is another. */
  | "out of order"
  /** Entries after this place are missing: the head tells of more. */
  | "cut off"
  /** The chain is whole, but not the one that it was when its head was noted elsewhere. */
  | "rewritten"
  /** The head of the stream is missing, or tells of less than there is. */
  | "head changed";

export interface ChainProblem {
  readonly streamId: bigint;
  readonly n: bigint;
  readonly fault: ChainFault;
}

/** Follows one chain, entry by entry in the order of their places, and says what is wrong with it. */
export class ChainCheck {
  readonly #streamId: bigint;
  #n = 0n;
  #hash: Uint8Array = NO_HASH;

  readonly #noted: ChainHead | undefined;

  /** `noted` is the head as it was at an earlier time, kept where nobody who could change the chain could change it. */
  constructor(streamId: bigint, noted?: ChainHead) {
    this.#streamId = streamId;
    this.#noted = noted;
  }

  /** The next entry. After a fault the chain goes on from what is there, so that each fault is told once. */
  next(entry: ChainedEntry): ChainProblem[] {
    const expected = this.#n + 1n;
    const isNext = entry.n === expected;
    const fault = this.#faultOf(entry, isNext);
    this.#n = entry.n;
    this.#hash = entry.hash;
    return [
      ...(isNext ? [] : [this.#problem(expected, "removed")]),
      ...(fault ? [this.#problem(entry.n, fault)] : []),
      ...(this.#isRewritten(entry) ? [this.#problem(entry.n, "rewritten")] : []),
    ];
  }

  /** The end of the chain, against its head as it was kept. */
  end(head: ChainHead | undefined): ChainProblem | undefined {
    if (!head) return this.#problem(this.#n, "head changed");
    const told = this.#noted && this.#noted.n > head.n ? this.#noted.n : head.n;
    if (told > this.#n) return this.#problem(this.#n + 1n, "cut off");
    const fits = head.n === this.#n && isSame(head.hash, this.#hash);
    return fits ? undefined : this.#problem(head.n, "head changed");
  }

  #isRewritten({ n, hash }: ChainedEntry): boolean {
    return this.#noted?.n === n && !isSame(this.#noted.hash, hash);
  }

  /** Behind a gap the hash cannot be told. */
  #faultOf(entry: ChainedEntry, isNext: boolean): ChainFault | undefined {
    const digest = digestOf(entry);
    if (!isSame(digest, entry.digest)) return "changed";
    const follows = !isNext || isSame(chainHash(this.#hash, digest), entry.hash);
    return follows ? undefined : "out of order";
  }

  #problem(n: bigint, fault: ChainFault): ChainProblem {
    return { streamId: this.#streamId, n, fault };
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
