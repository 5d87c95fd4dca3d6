import { type CatalogueVersion, type Language, type Meaning, present } from "../../src/errors/index.ts";

/**
 * What an answer must say of a meaning: its texts with anything in the place of their parameters. The specification
 * leaves the wording to us, so it is that of the catalogue.
 */
export function wordingOf(meaning: Meaning, version: CatalogueVersion, language: Language): RegExp[] {
  const { wording, own, variant } = present(meaning, version);
  const detail = variant?.detail?.[language];
  const texts = [wording, own].flatMap((worded) => (worded === undefined ? [] : [worded.texts[language]]));
  return [...texts, ...(detail === undefined ? [] : [detail])].map(patternOf);
}

function patternOf(text: string): RegExp {
  return new RegExp(
    text
      .split(/\$\{[^}]+\}/)
      .map(RegExp.escape)
      .join(".+"),
    "s",
  );
}
