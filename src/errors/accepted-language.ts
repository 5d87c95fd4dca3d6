import { type Language, languages } from "./catalogue/entry.ts";

interface LanguageRange {
  readonly primary: string;
  readonly quality: number;
}

/**
 * The language that an Accept-Language header (RFC 9110, 12.5.4) likes best of those that we have;
 * of equal ones the first. `fallback` stands for `*` and for a header that names none of ours.
 */
export function acceptedLanguage(header: string | null, fallback: Language): Language {
  if (header === null) return fallback;
  return isLanguage(header) ? header : (bestOf(header) ?? fallback);
}

function bestOf(header: string): Language | undefined {
  const ranges = header.split(",").map(parseRange);
  const best = ranges
    .filter(({ primary, quality }) => quality > 0 && (primary === "*" || isLanguage(primary)))
    .reduce<LanguageRange | undefined>(
      (one, other) => (one && one.quality >= other.quality ? one : other),
      undefined,
    );
  return best && isLanguage(best.primary) ? best.primary : undefined;
}

function parseRange(text: string): LanguageRange {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const quality = weight === undefined ? 1 : Number(weight);
  return { primary: tag.split("-", 1)[0] ?? "", quality: Number.isNaN(quality) ? 0 : quality };
}

function isLanguage(tag: string): tag is Language {
  return (languages as readonly string[]).includes(tag);
}
