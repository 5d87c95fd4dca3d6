import { type Fault, fault } from "../errors/index.ts";
import { type Reached, relativeReference, withPlainOrigin } from "../references/index.ts";
import type { Decided } from "./conditions.ts";
import type { Entry } from "./entries.ts";
import { addressInPlace, fullUrlMeant, urlMeant } from "./full-urls.ts";

/** Where the resources of entries are, by full URL, and which entries failed, in an index that is reached somewhere. */
export interface Stored extends Reached {
  /** Undefined until there is an id. */
  readonly addresses: Map<string, string | undefined>;
  readonly failed: Set<string>;
  /** How many references by a search there were so far. */
  searched: number;
}

/** Each is compared with each reference; a gateway names three for each of its base paths. */
const MOST_BASES = 100;

/** Of more bases than there may be, for which a transaction is refused, no more are looked at. */
export function nothingStored(bases: readonly string[]): Stored {
  const looked = bases.slice(0, MOST_BASES).map(withPlainOrigin);
  return { addresses: new Map(), failed: new Set(), searched: 0, bases: looked };
}

/** More bases than there may be. */
export function faultsOfBases(bases: readonly string[]): Fault[] {
  if (bases.length <= MOST_BASES) return [];
  const parameters = { element: "bases", max: String(MOST_BASES) };
  return [fault("ELEMENT_REPEATED_TOO_OFTEN", parameters, { expression: ["bases"] })];
}

/** Notes where the resource of an entry is, or that it will be: what is there already need not be waited for. */
export function noteAddress({ entry, existingId }: Decided, { addresses }: Stored): void {
  const { fullUrl, type, verb } = entry;
  if (fullUrl === "" || verb === "read" || verb === "delete") return;
  const id = existingId ?? (verb === "update" ? entry.id : "");
  addresses.set(fullUrl, id === "" ? undefined : `${type}/${id}`);
}

/** The address of the entry that a reference is to; undefined when it is to none, or to one that has none yet. */
export function addressOf(reference: string, { root }: Entry, { addresses }: Stored): string | undefined {
  const address = addresses.get(fullUrlMeant(reference, root));
  return address === undefined ? undefined : addressInPlace(reference, address);
}

export function isOfEntry(reference: string, entry: Entry, stored: Stored): boolean {
  return stored.addresses.has(fullUrlMeant(reference, entry.root)) || isOfFailed(reference, entry, stored);
}

export function isOfFailed(reference: string, { root }: Entry, { failed }: Stored): boolean {
  return failed.has(fullUrlMeant(reference, root));
}

/** A reference to no entry: relative to what is of the index, absolute to what is of another server. */
export function outsideReference(reference: string, { root }: Entry, reached: Reached): string {
  return relativeReference(urlMeant(reference, root), reached);
}
