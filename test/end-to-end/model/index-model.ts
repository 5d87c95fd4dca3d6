import { LinkModel } from "../../linkage/link-model.ts";

export interface Identifier {
  readonly system: string;
  readonly value: string;
  readonly period?: { readonly start?: string; readonly end?: string };
}

/** What a patient shows, as far as the model knows it. */
export interface View {
  readonly identifier: readonly Identifier[];
  readonly birthDate: string;
  readonly link: readonly string[];
}

/** An instant as the index writes it. */
type Instant = string;

/** Patients with identifiers in linked groups, as spec rules.md says it, and what each of their versions shows. */
export class IndexModel {
  readonly #links = new LinkModel();
  readonly #linkedTo = new Map<string, string>();
  readonly #own = new Map<string, Omit<View, "link">>();
  /** Since when each two patients are in one group. */
  readonly #met = new Map<string, Instant>();
  readonly #versions = new Map<string, View[]>();

  get patients(): string[] {
    return this.#links.patients;
  }

  add(id: string, own: Omit<View, "link">): void {
    this.#links.add(id, false);
    this.#own.set(id, own);
    this.#versions.set(id, []);
    this.#note([id]);
  }

  ownOf(id: string): Omit<View, "link"> {
    const own = this.#own.get(id);
    if (!own) throw new Error(`The model knows nobody with the id ${id}.`);
    return own;
  }

  /** What is given to a secondary shows at its primary too, unless that shows it as ended at the link anyway. */
  replace(id: string, own: Omit<View, "link">): void {
    const root = this.rootOf(id);
    const before = JSON.stringify(this.#viewOf(root));
    this.#own.set(id, own);
    const isShown = JSON.stringify(this.#viewOf(root)) !== before;
    this.#note(isShown ? [id, root] : [id]);
  }

  isFree(source: string, target: string): boolean {
    return source !== target && !this.#linkedTo.has(source) && this.rootOf(target) !== source;
  }

  link(source: string, target: string, at: Instant): void {
    const [coming, there] = [this.groupOf(source), this.groupOf(target)];
    for (const one of coming) for (const other of there) this.#met.set(pair(one, other), at);
    this.#links.link(source, target);
    this.#linkedTo.set(source, target);
    this.#note([...coming, target, this.rootOf(target)]);
  }

  /** The lower of a pair whose link can be undone. */
  releasable(one: string, other: string): string | undefined {
    const fits = (lower: string, upper: string) =>
      this.#linkedTo.has(lower) && (this.#linkedTo.get(lower) === upper || this.rootOf(lower) === upper);
    if (fits(one, other)) return one;
    return fits(other, one) ? other : undefined;
  }

  unlink(one: string, other: string): void {
    const root = this.rootOf(one);
    const released = this.#links.unlink(one, other) ?? "";
    this.#linkedTo.delete(released);
    this.#note([one, other, root, ...this.groupOf(released)]);
  }

  rootOf(id: string): string {
    return this.#links.rootOf(id);
  }

  groupOf(id: string): string[] {
    return this.#links.groupOf(id);
  }

  /** Everybody whose group has an identifier of a system, or of one below it, with this value. */
  foundBy(system: string, value: string): string[] {
    const isMeant = (one: Identifier) =>
      one.value === value && (one.system === system || one.system.startsWith(`${system}/`));
    const holders = this.patients.filter((id) => this.ownOf(id).identifier.some(isMeant));
    return [...new Set(holders.flatMap((id) => this.groupOf(id)))];
  }

  holderOf({ system, value }: Identifier): string | undefined {
    return this.patients.find((id) =>
      this.ownOf(id).identifier.some((own) => own.system === system && own.value === value),
    );
  }

  /** Of a patient, oldest first. */
  versionsOf(id: string): readonly View[] {
    return this.#versions.get(id) ?? [];
  }

  #note(ids: readonly string[]): void {
    for (const id of new Set(ids)) this.#versions.get(id)?.push(this.#viewOf(id));
  }

  #viewOf(id: string): View {
    const { birthDate, identifier } = this.ownOf(id);
    const link = this.#links.linksOf(id);
    if (this.rootOf(id) !== id) return { identifier, birthDate, link };
    const others = this.groupOf(id).filter((other) => other !== id);
    const members = [id, ...others.sort((one, other) => (this.#isBefore(one, other) ? -1 : 1))];
    return {
      identifier: members.flatMap((member, place) => this.#shown(member, members.slice(0, place))),
      birthDate,
      link,
    };
  }

  /** The identifiers of a member beside those of the members who came before it. */
  #shown(member: string, before: readonly string[]): Identifier[] {
    return this.ownOf(member).identifier.map((identifier) => {
      const times = before
        .filter((other) => this.ownOf(other).identifier.some(({ system }) => system === identifier.system))
        .map((other) => this.#metAt(member, other));
      const [end] = times.sort((one, other) => Date.parse(one) - Date.parse(other));
      return end === undefined ? identifier : endedAt(identifier, end);
    });
  }

  /** Whether one came before another into the group: as its primary, or by an earlier link of those above it. */
  #isBefore(one: string, other: string): boolean {
    const above = this.#pathOf(one);
    const common = this.#pathOf(other).find((id) => above.includes(id)) ?? "";
    if (common === one || common === other) return common === one;
    const [root = ""] = above.slice(-1);
    for (const from of [root, common]) {
      const [first, second] = [this.#metAt(from, one), this.#metAt(from, other)];
      if (first !== second) return Date.parse(first) < Date.parse(second);
    }
    throw new Error("No two links have one instant.");
  }

  /** A patient and all those above it. */
  #pathOf(id: string): string[] {
    const upper = this.#linkedTo.get(id);
    return upper === undefined ? [id] : [id, ...this.#pathOf(upper)];
  }

  #metAt(one: string, other: string): Instant {
    return this.#met.get(pair(one, other)) ?? "";
  }
}

function pair(one: string, other: string): string {
  return [one, other].sort().join("+");
}

/** An earlier end stays; no period ends before it starts. */
function endedAt(identifier: Identifier, end: Instant): Identifier {
  const { start, end: own } = identifier.period ?? {};
  if (own !== undefined && own < end) return identifier;
  const period = start === undefined || start > end ? { end } : { start, end };
  return { ...identifier, period };
}
