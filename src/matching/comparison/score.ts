import { compareBirthDates } from "./compare-birth-dates.ts";
import { compareAddresses, compareTelecoms } from "./compare-contacts.ts";
import { compareIdentifiers, haveDifferentNationals, type IdentifierLevel } from "./compare-identifiers.ts";
import { compareNames, type NameLevel } from "./compare-names.ts";
import type { Person, PersonName } from "./person.ts";
import {
  LIKELIHOODS,
  type Likelihoods,
  MOST_WITH_TWO_BIRTH_ORDERS,
  MOST_WITH_TWO_NATIONALS,
  NAMES_CONFUSED,
  PRIORS,
} from "./weights.ts";

const NOTHING: Likelihoods = [1, 1, 1, 1];
/** Records of relatives are confused as often as those of one person. */
const CONFUSED: Likelihoods = [NAMES_CONFUSED, NAMES_CONFUSED, NAMES_CONFUSED, 1];

/**
 * The probability, 0 to 1, that two descriptions are of one person, and not of twins, other relatives or strangers. It
 * is the same whichever comes first, whatever the order of names, telecoms, addresses and identifiers.
 */
export function matchScore(one: Person, other: Person): number {
  const identifier = compareIdentifiers(one.identifiers, other.identifiers);
  const [person, twins, relatives, strangers] = [
    bestNames(one.names, other.names),
    weigh(LIKELIHOODS.identifier, identifier),
    weigh(LIKELIHOODS.birthDate, compareBirthDates(one.birthDate, other.birthDate)),
    weigh(LIKELIHOODS.gender, compareGenders(one.gender, other.gender)),
    weigh(LIKELIHOODS.telecom, compareTelecoms(one, other)),
    weigh(LIKELIHOODS.address, compareAddresses(one, other)),
  ].reduce(together, PRIORS);
  return (person / (person + twins + relatives + strangers)) * mostOf(one, other, identifier);
}

/** What the score is at most where something says that it is two people. */
function mostOf(one: Person, other: Person, identifier: IdentifierLevel): number {
  if (haveTwoBirthOrders(one, other) && !PROOFS.includes(identifier)) return MOST_WITH_TWO_BIRTH_ORDERS;
  return haveDifferentNationals(one.identifiers, other.identifiers) ? MOST_WITH_TWO_NATIONALS : 1;
}

const PROOFS: readonly IdentifierLevel[] = ["sameNational", "sameDocument"];

function haveTwoBirthOrders({ birthOrder }: Person, other: Person): boolean {
  return birthOrder !== undefined && other.birthOrder !== undefined && birthOrder !== other.birthOrder;
}

function compareGenders(
  one: string | undefined,
  other: string | undefined,
): "same" | "different" | "missing" {
  if (!isSex(one) || !isSex(other)) return "missing";
  return one === other ? "same" : "different";
}

function isSex(gender: string | undefined): boolean {
  return gender === "male" || gender === "female";
}

/** Of several names, former ones among them, those that agree best. */
function bestNames(one: readonly PersonName[], other: readonly PersonName[]): Likelihoods {
  const found = one.flatMap((name) => other.map((another) => compareWhole(name, another)));
  if (found.length === 0) return NOTHING;
  return found.reduce(likelier);
}

/** In neither record are family and given names confused, or in the one, or in the other: what is likeliest. */
function compareWhole(one: PersonName, other: PersonName): Likelihoods {
  const across = compareNames(one.family, other.given);
  const back = compareNames(one.given, other.family);
  return [
    nameLikelihoods(compareNames(one.family, other.family), compareNames(one.given, other.given)),
    together(nameLikelihoods(across, back), CONFUSED),
    together(nameLikelihoods(back, across), CONFUSED),
  ].reduce(likelier);
}

function nameLikelihoods(family: NameLevel, given: NameLevel): Likelihoods {
  return together(weigh(LIKELIHOODS.family, family), weigh(LIKELIHOODS.given, given));
}

/** Which says more for one person, against strangers. */
function likelier(one: Likelihoods, other: Likelihoods): Likelihoods {
  return other[0] * one[3] > one[0] * other[3] ? other : one;
}

function weigh<Level extends string>(
  levels: Readonly<Record<Level, Likelihoods>>,
  level: Level | "missing",
): Likelihoods {
  return level === "missing" ? NOTHING : levels[level];
}

function together(one: Likelihoods, other: Likelihoods): Likelihoods {
  return [one[0] * other[0], one[1] * other[1], one[2] * other[2], one[3] * other[3]];
}
