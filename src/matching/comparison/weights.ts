import type { BirthDateLevel } from "./compare-birth-dates.ts";
import type { AddressLevel, TelecomLevel } from "./compare-contacts.ts";
import type { IdentifierLevel } from "./compare-identifiers.ts";
import type { NameLevel } from "./compare-names.ts";

/** How often a level is met among records of one person (m), and among records of two people taken at random (u). */
export interface Likelihood {
  readonly m: number;
  readonly u: number;
}

type Levels<Level extends string> = Readonly<Record<Exclude<Level, "missing">, Likelihood>>;

/**
 * The model (Fellegi and Sunter): a level weighs log2(m / u). What is missing on either side weighs nothing. Where the
 * figures come from is in docs/matching.md.
 */
export const LIKELIHOODS = {
  identifier: {
    sameNational: { m: 0.9, u: 5e-8 },
    sameDocument: { m: 0.5, u: 1e-6 },
    nearNational: { m: 0.02, u: 1e-5 },
    otherNational: { m: 0.0005, u: 0.999 },
    sameNumber: { m: 0.02, u: 1e-5 },
    otherDocument: { m: 0.4, u: 0.9 },
  } satisfies Levels<IdentifierLevel>,
  family: {
    exact: { m: 0.82, u: 0.004 },
    partial: { m: 0.04, u: 0.001 },
    close: { m: 0.06, u: 0.004 },
    initial: { m: 0.01, u: 0.02 },
    different: { m: 0.07, u: 0.971 },
  } satisfies Levels<NameLevel>,
  given: {
    exact: { m: 0.8, u: 0.008 },
    partial: { m: 0.08, u: 0.004 },
    close: { m: 0.07, u: 0.008 },
    initial: { m: 0.02, u: 0.06 },
    different: { m: 0.03, u: 0.92 },
  } satisfies Levels<NameLevel>,
  birthDate: {
    exact: { m: 0.93, u: 5e-5 },
    swapped: { m: 0.012, u: 1.5e-5 },
    sameMonth: { m: 0.9, u: 0.0015 },
    sameYear: { m: 0.95, u: 0.017 },
    onePartDiffers: { m: 0.04, u: 0.004 },
    different: { m: 0.012, u: 0.99 },
  } satisfies Levels<BirthDateLevel>,
  gender: {
    same: { m: 0.985, u: 0.5 },
    different: { m: 0.015, u: 0.5 },
  },
  telecom: {
    same: { m: 0.5, u: 0.0005 },
    different: { m: 0.5, u: 0.9995 },
  } satisfies Levels<TelecomLevel>,
  address: {
    same: { m: 0.45, u: 0.0005 },
    sameCity: { m: 0.25, u: 0.15 },
    different: { m: 0.3, u: 0.85 },
  } satisfies Levels<AddressLevel>,
} as const;

/** Before anything is compared: one record in a million is of the person that is looked for. */
export const PRIOR = 1e-6;

/** Family and given names are as likely confused in the one record as in the other: one in so many records. */
export const NAMES_CONFUSED = 0.1;

/**
 * Where the national codes of one country differ, one pair in a thousand is of two people whatever else agrees: too
 * many to be certain of any of them.
 */
export const MOST_WITH_TWO_NATIONALS = 0.999;
