import type { BirthDateLevel } from "./compare-birth-dates.ts";
import type { AddressLevel, TelecomLevel } from "./compare-contacts.ts";
import type { IdentifierLevel } from "./compare-identifiers.ts";
import type { NameLevel } from "./compare-names.ts";

/** How often something is met among records of one person, of twins, of relatives, and of two people taken at random. */
export type Likelihoods = readonly [person: number, twins: number, relatives: number, strangers: number];

type Levels<Level extends string> = Readonly<Record<Exclude<Level, "missing">, Likelihoods>>;

/** Before anything is compared: of a million records one is of the person that is looked for, and four of relatives. */
export const PRIORS: Likelihoods = [1e-6, 3e-8, 4e-6, 1];

/**
 * The model (Fellegi and Sunter, with relatives told from strangers). What is missing on either side says nothing. Where
 * the figures come from is in docs/matching.md.
 */
export const LIKELIHOODS = {
  identifier: {
    sameNational: [0.9, 5e-8, 5e-8, 5e-8],
    sameDocument: [0.5, 1e-6, 1e-6, 1e-6],
    nearNational: [0.02, 1e-5, 1e-5, 1e-5],
    otherNational: [0.0005, 0.999, 0.999, 0.999],
    sameNumber: [0.02, 1e-5, 1e-5, 1e-5],
    otherDocument: [0.4, 0.9, 0.9, 0.9],
  } satisfies Levels<IdentifierLevel>,
  family: {
    exact: [0.81, 0.79, 0.61, 0.004],
    partial: [0.04, 0.04, 0.031, 0.001],
    close: [0.06, 0.059, 0.046, 0.004],
    initial: [0.01, 0.01, 0.01, 0.02],
    shared: [0.01, 0.01, 0.02, 0.002],
    different: [0.07, 0.091, 0.283, 0.969],
  } satisfies Levels<NameLevel>,
  given: {
    exact: [0.8, 0.0001, 0.02, 0.008],
    partial: [0.08, 0.0001, 0.01, 0.004],
    close: [0.07, 0.04, 0.02, 0.008],
    initial: [0.02, 0.05, 0.06, 0.06],
    shared: [0.005, 0.05, 0.03, 0.012],
    different: [0.025, 0.86, 0.86, 0.908],
  } satisfies Levels<NameLevel>,
  birthDate: {
    exact: [0.93, 0.93, 5e-5, 5e-5],
    swapped: [0.012, 0.012, 1.5e-5, 1.5e-5],
    sameMonth: [0.9, 0.9, 0.0015, 0.0015],
    sameYear: [0.95, 0.95, 0.03, 0.017],
    onePartDiffers: [0.04, 0.04, 0.003, 0.003],
    generation: [0.001, 0.001, 0.015, 0.0015],
    different: [0.012, 0.012, 0.98, 0.99],
  } satisfies Levels<BirthDateLevel>,
  gender: {
    same: [0.985, 0.65, 0.5, 0.5],
    different: [0.015, 0.35, 0.5, 0.5],
  },
  telecom: {
    same: [0.5, 0.8, 0.5, 0.0005],
    different: [0.5, 0.2, 0.5, 0.9995],
  } satisfies Levels<TelecomLevel>,
  address: {
    same: [0.45, 0.85, 0.6, 0.0005],
    sameCity: [0.25, 0.07, 0.2, 0.15],
    different: [0.3, 0.08, 0.2, 0.85],
  } satisfies Levels<AddressLevel>,
} as const;

/** Family and given names are as likely confused in the one record as in the other: one in so many records. */
export const NAMES_CONFUSED = 0.1;

/**
 * Where the national codes of one country differ, one pair in a thousand is of two people whatever else agrees: too
 * many to be certain of any of them.
 */
export const MOST_WITH_TWO_NATIONALS = 0.999;

/** Children who were born one after the other are two, unless one code or document proves that an order was mistyped. */
export const MOST_WITH_TWO_BIRTH_ORDERS = 0.5;
