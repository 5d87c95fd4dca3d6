import type { PlaceholdersIn } from "../placeholders.ts";
import { adapterMeanings } from "./adapters.ts";
import { addressRegistryMeanings } from "./address-registry.ts";
import { callerMeanings } from "./callers.ts";
import { contactPointMeanings } from "./contact-points.ts";
import type { CodedMeaning, Language, Texts, Traits, Variant } from "./entry.ts";
import { identifierMeanings } from "./identifiers.ts";
import { contentFaults, profileFaults, structureFaults } from "./input-faults.ts";
import { integrationMeanings } from "./integrations.ts";
import { parameterMeanings } from "./parameters.ts";
import { employmentRegisterMeanings, populationRegisterMeanings } from "./registers.ts";
import { relationMeanings } from "./relations.ts";
import { resourceMeanings } from "./resources.ts";
import { serviceMeanings } from "./service.ts";
import { exchangeFaults, situations } from "./situations.ts";

const coded = {
  ...serviceMeanings,
  ...callerMeanings,
  ...identifierMeanings,
  ...resourceMeanings,
  ...parameterMeanings,
  ...contactPointMeanings,
  ...addressRegistryMeanings,
  ...relationMeanings,
  ...integrationMeanings,
  ...adapterMeanings,
  ...populationRegisterMeanings,
  ...employmentRegisterMeanings,
};

const variants = {
  ...structureFaults,
  ...profileFaults,
  ...contentFaults,
  ...exchangeFaults,
  ...situations,
};

type Coded = typeof coded;
type Variants = typeof variants;

/** A meaning with a code of its own. */
export type CodedKey = keyof Coded;
/** A situation that is reported under the code of a meaning. */
export type VariantKey = keyof Variants;
/** Everything that can be said to have gone wrong. */
export type Meaning = CodedKey | VariantKey;

/** The catalogue: every meaning that has a code in some version. */
export const codedMeanings: Readonly<Record<CodedKey, CodedMeaning>> = coded;
/** The situations reported under the code of another meaning. */
export const variantMeanings: Readonly<Record<VariantKey, Variant>> = variants;

type TextIn<Held> = Held extends { texts: infer T extends Texts } ? T[Language] : never;
type VersionsOf<K extends CodedKey> = Coded[K]["versions"][keyof Coded[K]["versions"]];
type OwnPlaceholders<K extends CodedKey> = K extends CodedKey ? PlaceholdersIn<TextIn<VersionsOf<K>>> : never;
type NearestOf<K extends CodedKey> =
  | Extract<VersionsOf<K>, { nearest: string }>["nearest"]
  | Extract<VersionsOf<K>, { nearestInChain: string }>["nearestInChain"];
type Original<K extends CodedKey> = Coded[K] extends { original: true } ? "original" : never;
type CodedPlaceholders<K extends CodedKey> =
  | OwnPlaceholders<K>
  | Original<K>
  | OwnPlaceholders<Extract<NearestOf<K>, CodedKey>>;

type DetailText<V> = V extends { detail: infer T extends Texts } ? T[Language] : never;
type Base<K extends VariantKey> = Extract<Variants[K]["reportedAs"], CodedKey>;
type VariantPlaceholders<K extends VariantKey> = Variants[K] extends { detail: Texts }
  ? PlaceholdersIn<DetailText<Variants[K]>> | Exclude<CodedPlaceholders<Base<K>>, "message">
  : CodedPlaceholders<Base<K>>;

/** The names of the parameters that a meaning's texts need, in any version and language. */
export type PlaceholderOf<M extends Meaning> = M extends CodedKey
  ? CodedPlaceholders<M>
  : M extends VariantKey
    ? VariantPlaceholders<M>
    : never;

/** The parameters of a meaning: all of them, and no others. */
export type ParametersOf<M extends Meaning> = [PlaceholderOf<M>] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [Name in PlaceholderOf<M>]: string };

type StatusesIn<T> = T extends { otherStatuses: readonly (infer Other)[] } ? Other : never;

/** The statuses that a fault of this meaning may have instead of the usual one. */
export type OtherStatusOf<M extends Meaning> = M extends CodedKey
  ? StatusesIn<Coded[M]>
  : M extends VariantKey
    ? StatusesIn<Variants[M]>
    : never;

type Referred = NearestOf<CodedKey> | Variants[VariantKey]["reportedAs"];
// Fails to compile when an entry refers to a meaning that is not in the catalogue.
const everyReferredMeaning: Readonly<Record<Referred, CodedMeaning>> = coded;

/** The catalogue's entry of a name that an entry refers to. */
export function referredMeaning(name: string): CodedMeaning {
  const found = everyReferredMeaning[name as Referred];
  if (found === undefined) throw new TypeError(`The catalogue refers to ${name} and does not have it`);
  return found;
}

/** True for a situation that is reported under the code of another meaning. */
export function isVariant(meaning: Meaning): meaning is VariantKey {
  return Object.hasOwn(variants, meaning);
}

/** What holds for a meaning in every version. */
export function traitsOf(meaning: Meaning): Traits {
  return isVariant(meaning) ? variantMeanings[meaning] : codedMeanings[meaning];
}

/** True for a name that this catalogue has, such as the reason of an ErrorInfo received. */
export function isMeaning(name: string): name is Meaning {
  return Object.hasOwn(coded, name) || Object.hasOwn(variants, name);
}
