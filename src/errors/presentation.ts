import {
  type CodedKey,
  codedMeanings,
  isVariant,
  type Meaning,
  referredMeaning,
  variantMeanings,
} from "./catalogue/catalogue.ts";
import {
  type CatalogueVersion,
  type CodedMeaning,
  catalogueVersions,
  type Language,
  type Substitute,
  type Traits,
  type Variant,
  type Wording,
} from "./catalogue/entry.ts";
import type { ErrorSystem, ErrorSystems } from "./error-systems.ts";

/** For whom an error is put into words. */
export interface Presentation {
  readonly version: CatalogueVersion;
  readonly language: Language;
  /** The URIs of the error systems in this deployment. */
  readonly systems: ErrorSystems;
}

/** How a version reports a meaning. */
export interface Presented {
  readonly system: ErrorSystem;
  readonly wording: Wording;
  readonly traits: Traits;
  /** The text is followed by parameter `original`. */
  readonly original: boolean;
  readonly variant: Variant | undefined;
  /** The wording of the version that has a code for it, when this one has none. */
  readonly own: Wording | undefined;
}

/**
 * The code and texts by which a version reports a meaning. One that the version lacks takes code, texts, status
 * and issue type of the nearest one; only the general error keeps the status and type of what happened.
 * `inChain`: issues of other error systems follow.
 */
export function present(meaning: Meaning, version: CatalogueVersion, inChain = false): Presented {
  const variant = isVariant(meaning) ? variantMeanings[meaning] : undefined;
  const entry =
    variant === undefined ? codedMeanings[meaning as CodedKey] : referredMeaning(variant.reportedAs);
  const held = entry.versions[version];
  const traits = variant ?? entry;
  if ("code" in held) return presented(entry, held, { traits, variant, own: undefined });
  const nearest = nearestOf(held, inChain);
  const substitute = referredMeaning(nearest);
  return presented(substitute, wordingIn(substitute, version), {
    traits: nearest === "FHIR_SERVER_ERROR" ? traits : substitute,
    variant,
    own: wordingIn(entry, ...catalogueVersions),
  });
}

function presented(
  entry: CodedMeaning,
  wording: Wording,
  rest: Pick<Presented, "traits" | "variant" | "own">,
): Presented {
  return { system: entry.system, wording, original: entry.original === true, ...rest };
}

function nearestOf(held: Substitute, inChain: boolean): string {
  return (inChain ? held.nearestInChain : undefined) ?? held.nearest;
}

/** The wording of the first of these versions that has one. */
function wordingIn(entry: CodedMeaning, ...versions: readonly CatalogueVersion[]): Wording {
  for (const version of versions) {
    const held = entry.versions[version];
    if ("code" in held) return held;
  }
  throw new TypeError(`The catalogue has no wording in ${versions.join(", ")} where it needs one`);
}
