import type { Person, PersonAddress } from "./person.ts";

export type TelecomLevel = "same" | "different" | "missing";
export type AddressLevel = "same" | "sameCity" | "different" | "missing";

/** Of all words of two addresses so many must be in both. */
const SAME_SHARE = 0.8;

export function compareTelecoms(one: Person, other: Person): TelecomLevel {
  if (one.telecoms.size === 0 || other.telecoms.size === 0) return "missing";
  return one.telecoms.isDisjointFrom(other.telecoms) ? "different" : "same";
}

export function compareAddresses(one: Person, other: Person): AddressLevel {
  const levels = one.addresses.flatMap((address) =>
    other.addresses.map((another) => compare(address, another)),
  );
  return (["same", "sameCity", "different"] as const).find((level) => levels.includes(level)) ?? "missing";
}

function compare(one: PersonAddress, other: PersonAddress): AddressLevel {
  if (one.words.size === 0 || other.words.size === 0) return "missing";
  if (one.country !== other.country) return "different";
  const shared = one.words.intersection(other.words).size;
  if (shared >= SAME_SHARE * one.words.union(other.words).size) return "same";
  return one.cities.isDisjointFrom(other.cities) ? "different" : "sameCity";
}
