import type { Report } from "./report.ts";

const PLAIN_TAG = /^[a-z]{2,3}(?:-[A-Z]{2})?$/;

/** Whether a text is a well-formed BCP 47 language tag, registered or not. */
export function isLanguageTag(tag: string): boolean {
  if (PLAIN_TAG.test(tag)) return true;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch (error) {
    // The only way in which the engine says that a tag is malformed.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A language tag, where one is given (MPI-096). */
export function checkLanguageTag(tag: string | undefined, expression: string, report: Report): void {
  if (tag !== undefined && !isLanguageTag(tag)) report("LANGUAGE_TAG_MALFORMED", { tag }, expression);
}
