// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import type { Language, Texts } from "./catalogue/entry.ts";
import { fillIn } from "./placeholders.ts";

const texts = {
  et: "Näitamata jäi veel vigu: ${count}.",
  en: "Further issues that are not shown: ${count}.",
} as const satisfies Texts;

/** How to say that `omittedIssues` of an ErrorDetails are not shown. */
export function omittedIssuesText(count: number, language: Language): string {
  return fillIn(texts[language], { count: String(count) });
}
