import { type Language, languages } from "./catalogue/entry.ts";

interface LanguageRange {
  readonly primary: string;
  readonly quality: number;
}

/**
 * The language that an Accept-Language header (RFC 9110, 12.5.4) likes best of those that we have;
 * of equal ones the first. `*`, like a header that likes none of ours, leaves those that the header does not name,
 * `fallback` first.
 */
export function acceptedLanguage(header: string | null, fallback: Language): Language {
  if (header === null) return fallback;
  return isLanguage(header) ? header : bestOf(header.split(",").map(parseRange), fallback);
}

function bestOf(ranges: readonly LanguageRange[], fallback: Language): Language {
  const unnamed = [fallback, ...languages].filter((one) => ranges.every(({ primary }) => primary !== one));
  let best: { readonly language: Language; readonly quality: number } | undefined;
  for (const { primary, quality } of ranges) {
    const language = primary === "*" ? unnamed[0] : primary;
    if (language === undefined || !isLanguage(language)) continue;
    if (quality > (best?.quality ?? 0)) best = { language, quality };
  }
  return best?.language ?? unnamed[0] ?? fallback;
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
