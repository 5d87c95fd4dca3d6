/** Values that are remembered until a time, a bounded number of them: the oldest give way to new ones. */
export class ExpiringMemory<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();
  readonly #capacity: number;
  readonly #now: () => number;

  constructor(capacity: number, now: () => number) {
    this.#capacity = capacity;
    this.#now = now;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until > this.#now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Remembers a value until that time, in milliseconds since 1970. */
  keep(key: string, value: Value, until: number): void {
    if (this.#capacity === 0) return;
    this.#entries.delete(key);
    if (this.#entries.size >= this.#capacity) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, until });
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
