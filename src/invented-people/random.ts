/** Draws of one person: the same seed and index give the same draws, whoever was invented before. */
export class Random {
  #state: number;

  constructor(seed: number, index: number) {
    this.#state = mixed(mixed(seed) ^ Math.imul(index + 1, 0x9e3779b1));
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return mixed(this.#state) % bound;
  }

  /** True in so many of a hundred cases. */
  percent(share: number): boolean {
    return this.below(100) < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** So many decimal digits. */
  digits(count: number): string {
    return Array.from({ length: count }, () => this.below(10)).join("");
  }
}

/** Spreads 32 bits evenly (an integer finalizer of the murmur family). */
function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}
