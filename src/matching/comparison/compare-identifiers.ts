import type { IdentifierToken } from "../../identifiers/index.ts";
import { editDistance } from "../names/edit-distance.ts";

/** How far the identifiers of two people agree. */
export type IdentifierLevel =
  | "sameNational"
  | "sameDocument"
  | "sameNumber"
  | "nearNational"
  | "otherDocument"
  | "otherNational"
  | "missing";

/** National codes stay with a person for life; documents are replaced. */
const NATIONAL = "ni";

/** Compares identifiers; those of no common system say nothing. */
export function compareIdentifiers(
  one: readonly IdentifierToken[],
  other: readonly IdentifierToken[],
): IdentifierLevel {
  const levels = one.flatMap((identifier) => other.map((another) => comparePair(identifier, another)));
  return LEVELS.find((level) => levels.includes(level)) ?? "missing";
}

/** Whether both have national codes of one country, and none of that country in common. */
export function haveDifferentNationals(
  one: readonly IdentifierToken[],
  other: readonly IdentifierToken[],
): boolean {
  return one.filter(isNational).some(({ country }) => {
    const others = nationalsOf(country, other);
    return others.size > 0 && others.isDisjointFrom(nationalsOf(country, one));
  });
}

/** The strongest first: who has one national code of two in common is not told apart by the other. */
const LEVELS: readonly IdentifierLevel[] = [
  "sameNational",
  "sameDocument",
  "nearNational",
  "otherNational",
  "sameNumber",
  "otherDocument",
];

function comparePair(one: IdentifierToken, other: IdentifierToken): IdentifierLevel {
  const isSameSystem = one.country === other.country && one.type === other.type;
  if (one.value === other.value) {
    if (!isSameSystem) return "sameNumber";
    return isNational(one) ? "sameNational" : "sameDocument";
  }
  if (!isSameSystem) return "missing";
  if (!isNational(one)) return "otherDocument";
  return editDistance(one.value, other.value, 1) === 1 ? "nearNational" : "otherNational";
}

export function isNational({ type }: IdentifierToken): boolean {
  return type === NATIONAL;
}

function nationalsOf(country: string | undefined, identifiers: readonly IdentifierToken[]): Set<string> {
  return new Set(
    identifiers.filter((one) => isNational(one) && one.country === country).map(({ value }) => value),
  );
}
