import { compareBirthDates } from "./compare-birth-dates.ts";
import { compareAddresses, compareTelecoms } from "./compare-contacts.ts";
import { compareIdentifiers, haveDifferentNationals } from "./compare-identifiers.ts";
import { compareNames, type NameLevel } from "./compare-names.ts";
import type { Person, PersonName } from "./person.ts";
import { LIKELIHOODS, type Likelihood, MOST_WITH_TWO_NATIONALS, NAMES_CONFUSED, PRIOR } from "./weights.ts";

/** What two names say. */
interface NameEvidence {
  readonly weight: number;
  /** How far the given names agree. */
  readonly given: NameLevel;
}

const NOTHING: NameEvidence = { weight: 0, given: "missing" };
const PRIOR_WEIGHT = Math.log2(PRIOR / (1 - PRIOR));
const CONFUSION_WEIGHT = Math.log2(NAMES_CONFUSED);

/**
 * The probability, 0 to 1, that two descriptions are of one person; never a certainty where the national codes of one
 * country differ. It is the same whichever comes first, whatever the order of names, telecoms, addresses and
 * identifiers.
 */
export function matchScore(one: Person, other: Person): number {
  const names = bestNames(one.names, other.names);
  const areToldApart = haveDifferentNationals(one.identifiers, other.identifiers);
  const weight =
    PRIOR_WEIGHT +
    names.weight +
    weigh(LIKELIHOODS.identifier, compareIdentifiers(one.identifiers, other.identifiers)) +
    weigh(LIKELIHOODS.birthDate, compareBirthDates(one.birthDate, other.birthDate)) +
    weigh(LIKELIHOODS.gender, compareGenders(one.gender, other.gender)) +
    (areRelatives(names, areToldApart) ? 0 : householdWeight(one, other));
  const probability = 1 / (1 + 2 ** -weight);
  return areToldApart ? probability * MOST_WITH_TWO_NATIONALS : probability;
}

/** Whether it is two people of one household: where the national codes differ, given names that are alike are a twin's. */
function areRelatives({ given }: NameEvidence, areToldApart: boolean): boolean {
  return given === "different" || (areToldApart && given !== "exact");
}

/** Telephone and address are shared by a household: of two people in it they say nothing. */
function householdWeight(one: Person, other: Person): number {
  return (
    weigh(LIKELIHOODS.telecom, compareTelecoms(one, other)) +
    weigh(LIKELIHOODS.address, compareAddresses(one, other))
  );
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
function bestNames(one: readonly PersonName[], other: readonly PersonName[]): NameEvidence {
  const found = one.flatMap((name) => other.map((another) => compareWhole(name, another)));
  if (found.length === 0) return NOTHING;
  return found.reduce(likelier);
}

/** In neither record are family and given names confused, or in the one, or in the other: what is likeliest. */
function compareWhole(one: PersonName, other: PersonName): NameEvidence {
  const across = compareNames(one.family, other.given);
  const back = compareNames(one.given, other.family);
  return [
    evidenceOf(compareNames(one.family, other.family), compareNames(one.given, other.given)),
    confused(evidenceOf(across, back)),
    confused(evidenceOf(back, across)),
  ].reduce(likelier);
}

function evidenceOf(family: NameLevel, given: NameLevel): NameEvidence {
  return {
    weight: weigh(LIKELIHOODS.family, family) + weigh(LIKELIHOODS.given, given),
    given,
  };
}

function confused({ weight, given }: NameEvidence): NameEvidence {
  return { weight: weight + CONFUSION_WEIGHT, given };
}

function likelier(one: NameEvidence, other: NameEvidence): NameEvidence {
  return other.weight > one.weight ? other : one;
}

function weigh<Level extends string>(
  levels: Readonly<Record<Level, Likelihood>>,
  level: Level | "missing",
): number {
  if (level === "missing") return 0;
  const { m, u } = levels[level];
  return Math.log2(m / u);
}
