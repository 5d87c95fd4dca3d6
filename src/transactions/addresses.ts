import type { Message } from "@bufbuild/protobuf";
import { type Reached, relativeReference } from "../references/index.ts";
import type { Decided } from "./conditions.ts";
import type { Entry } from "./entries.ts";
import { addressInPlace, fullUrlMeant, urlMeant } from "./full-urls.ts";
import { resourceTypes } from "./resource-types.ts";

/** Where the resources of entries are, by full URL, and which entries failed, in an index that is reached somewhere. */
export interface Stored extends Reached {
  /** Undefined until there is an id. */
  readonly addresses: Map<string, string | undefined>;
  readonly failed: Set<string>;
}

export function nothingStored(bases: readonly string[]): Stored {
  return { addresses: new Map(), failed: new Set(), bases };
}

/** Notes where the resource of an entry is, or that it will be: what is there already need not be waited for. */
export function noteAddress({ entry, settled }: Decided, { addresses }: Stored): void {
  const { fullUrl, type, verb } = entry;
  if (fullUrl === "" || verb === "read" || verb === "delete") return;
  const known = verb === "update" ? entry.id : "";
  const id = typeof settled === "object" ? settled.existing : known;
  addresses.set(fullUrl, id === "" ? undefined : `${type}/${id}`);
}

/** The address of the entry that a reference is to; undefined when it is to none, or to one that has none yet. */
export function addressOf(reference: string, { fullUrl }: Entry, { addresses }: Stored): string | undefined {
  const address = addresses.get(fullUrlMeant(reference, fullUrl));
  return address === undefined ? undefined : addressInPlace(reference, address);
}

export function isOfEntry(reference: string, entry: Entry, stored: Stored): boolean {
  return stored.addresses.has(fullUrlMeant(reference, entry.fullUrl)) || isOfFailed(reference, entry, stored);
}

export function isOfFailed(reference: string, { fullUrl }: Entry, { failed }: Stored): boolean {
  return failed.has(fullUrlMeant(reference, fullUrl));
}

/** A reference to no entry: relative to what is of the index, absolute to what is of another server. */
export function outsideReference(reference: string, { fullUrl }: Entry, reached: Reached): string {
  return relativeReference(urlMeant(reference, fullUrl), reached);
}

/** The address of the patient that a resource is to lie with; undefined while that has none. */
export function addressOfPatient(entry: Entry, resource: Message, stored: Stored): string | undefined {
  const { reference } = resourceTypes[entry.type].patientOf(resource) ?? {};
  if (reference === undefined) return undefined;
  return isOfEntry(reference, entry, stored)
    ? addressOf(reference, entry, stored)
    : outsideReference(reference, entry, stored);
}
