/** Its own type declares the methods as properties, which a class cannot override. */
type Constructed = new () => object;

/**
 * Headers of a call that hold what was checked when it came: proper ones look at every character of a value again, of a
 * long token too, which takes longer than opening a patient's identifiers.
 */
export class CallHeaders extends (Headers as Constructed) implements Headers {
  readonly #values = new Map<string, string>();

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value);
  }

  append(name: string, value: string): void {
    const key = name.toLowerCase();
    const before = this.#values.get(key);
    this.#values.set(key, before === undefined ? value : `${before}, ${value}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  /** A request has none. */
  getSetCookie(): string[] {
    return [];
  }

  forEach(...given: Parameters<Headers["forEach"]>): void {
    this.#checked().forEach(...given);
  }

  entries(): ReturnType<Headers["entries"]> {
    return this.#checked().entries();
  }

  keys(): ReturnType<Headers["keys"]> {
    return this.#checked().keys();
  }

  values(): ReturnType<Headers["values"]> {
    return this.#checked().values();
  }

  [Symbol.iterator](): ReturnType<Headers["entries"]> {
    return this.entries();
  }

  /** Who goes through all of them is about to send them. */
  #checked(): Headers {
    return new Headers([...this.#values]);
  }
}
