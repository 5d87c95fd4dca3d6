/** The linkage of patients as simply as it can be said: who is linked to whom. */
export class LinkModel {
  readonly #patients = new Set<string>();
  readonly #unknown = new Set<string>();
  readonly #linkedTo = new Map<string, string>();

  get patients(): string[] {
    return [...this.#patients];
  }

  add(id: string, isUnknown: boolean): void {
    this.#patients.add(id);
    if (isUnknown) this.#unknown.add(id);
  }

  /** Links two patients in 1.5.0; false when the rules forbid it. */
  link(source: string, target: string): boolean {
    const isFree = source !== target && !this.#linkedTo.has(source) && this.rootOf(target) !== source;
    if (!isFree || this.#unknown.has(target)) return false;
    this.#linkedTo.set(source, target);
    return true;
  }

  /** Releases the lower of two patients; undefined when the rules forbid it. */
  unlink(one: string, other: string): string | undefined {
    const released = [
      [one, other],
      [other, one],
    ].find(([lower = "", upper]) => {
      const linkedTo = this.#linkedTo.get(lower);
      return linkedTo !== undefined && (linkedTo === upper || this.rootOf(lower) === upper);
    })?.[0];
    if (released !== undefined) this.#linkedTo.delete(released);
    return released;
  }

  rootOf(id: string): string {
    let root = id;
    for (let above = this.#linkedTo.get(root); above !== undefined; above = this.#linkedTo.get(root))
      root = above;
    return root;
  }

  /** Everybody of the group that a patient is in, itself included. */
  groupOf(id: string): string[] {
    const root = this.rootOf(id);
    return this.patients.filter((other) => this.rootOf(other) === root);
  }

  /** The links that a patient shows, such as `replaces 7`. */
  linksOf(id: string): string[] {
    const root = this.rootOf(id);
    if (root !== id) return [`replaced-by ${root}`];
    const others = this.groupOf(id).filter((other) => other !== id);
    return others.sort((one, other) => Number(one) - Number(other)).map((other) => `replaces ${other}`);
  }

  /** The links of all patients, such as `1>2`. */
  edges(): string[] {
    return [...this.#linkedTo].map(([lower, upper]) => `${lower}>${upper}`).sort();
  }
}
