/**
 * What happens again and again for one reason is logged once; what follows within some time, in milliseconds, is counted
 * and told of then, if there was any.
 */
export class RepeatedReasons {
  readonly #ms: number;
  readonly #tellOthers: (reason: string, count: number) => void;
  /** Since the line about each reason; none where none was written for so long. */
  readonly #others = new Map<string, number>();

  constructor(ms: number, tellOthers: (reason: string, count: number) => void) {
    this.#ms = ms;
    this.#tellOthers = tellOthers;
  }

  /** Whether there is a line about the reason already, so that this time is only counted. */
  isCounted(reason: string): boolean {
    const others = this.#others.get(reason);
    this.#others.set(reason, others === undefined ? 0 : others + 1);
    if (others !== undefined) return true;
    setTimeout(() => this.#end(reason), this.#ms).unref();
    return false;
  }

  #end(reason: string): void {
    const count = this.#others.get(reason) ?? 0;
    this.#others.delete(reason);
    if (count > 0) this.#tellOthers(reason, count);
  }
}
