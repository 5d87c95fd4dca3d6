import type { Report } from "./report.ts";

/** A language tag, where one is given (MPI-096). */
export function checkLanguageTag(tag: string | undefined, expression: string, report: Report): void {
  if (tag !== undefined && !isLanguageTag(tag)) report("LANGUAGE_TAG_MALFORMED", { tag }, expression);
}

/**
 * Whether a text is a well-formed language tag of BCP 47 (RFC 5646, section 2.1), registered or not, that has no variant
 * and no extension twice.
 */
function isLanguageTag(tag: string): boolean {
  const found = LANGUAGE_TAG.exec(tag);
  if (!found) return PRIVATE_USE_TAG.test(tag) || IRREGULAR_TAGS.has(tag.toLowerCase());
  const { variants = "", extensions = "" } = found.groups ?? {};
  const singletons = subtagsOf(extensions).filter(({ length }) => length === 1);
  return haveNoneTwice([...subtagsOf(variants), ...singletons]);
}

function subtagsOf(part: string): string[] {
  return part.toLowerCase().split("-").slice(1);
}

function haveNoneTwice(subtags: readonly string[]): boolean {
  return new Set(subtags).size === subtags.length;
}

const EXTENDED_LANGUAGE = "(?:-[a-z]{3}){1,3}";
const LANGUAGE = `(?:[a-z]{2,3}(?:${EXTENDED_LANGUAGE})?|[a-z]{4,8})`;
const SCRIPT = "-[a-z]{4}";
const REGION = "-(?:[a-z]{2}|[0-9]{3})";
const VARIANT = "-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3})";
const EXTENSION = "-[0-9a-wyz](?:-[a-z0-9]{2,8})+";
const PRIVATE_USE = "x(?:-[a-z0-9]{1,8})+";

const LANGUAGE_TAG = new RegExp(
  `^${LANGUAGE}(?:${SCRIPT})?(?:${REGION})?` +
    `(?<variants>(?:${VARIANT})*)(?<extensions>(?:${EXTENSION})*)(?:-${PRIVATE_USE})?$`,
  "i",
);
const PRIVATE_USE_TAG = new RegExp(`^${PRIVATE_USE}$`, "i");

/** Registered before there was a grammar, which does not take them. */
const IRREGULAR_TAGS: ReadonlySet<string> = new Set([
  "en-gb-oed",
  "i-ami",
  "i-bnn",
  "i-default",
  "i-enochian",
  "i-hak",
  "i-klingon",
  "i-lux",
  "i-mingo",
  "i-navajo",
  "i-pwn",
  "i-tao",
  "i-tay",
  "i-tsu",
  "sgn-be-fr",
  "sgn-be-nl",
  "sgn-ch-de",
]);
