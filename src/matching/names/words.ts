import { plainLetters, withEstonianLetters } from "./letters.ts";

/** Longer words are cut: they must fit into the key of an index. */
const LONGEST_WORD = 40;
/** Most names are one word, which needs none of the rest. */
const PLAIN_WORD = /^[A-Za-z]+$/;
/** A name of more words is compared by its first ones. */
const MOST_WORDS = 8;
/** Its first words stand in so many letters. */
const LONGEST_TEXT = 1000;

/** The words of a name in plain letters. Spaces and hyphens part words; other signs, as in O'Neill, are left out. */
export function nameWords(text: string): string[] {
  if (PLAIN_WORD.test(text)) return [text.toLowerCase().slice(0, LONGEST_WORD)];
  return plainLetters(text.slice(0, LONGEST_TEXT))
    .split(/[\s\p{Pd}_]+/u)
    .map((word) => word.replace(/[^\p{L}\p{N}]+/gu, "").slice(0, LONGEST_WORD))
    .filter((word) => word !== "")
    .slice(0, MOST_WORDS);
}

/** The words of a name in each of its Latin spellings: a Cyrillic one has that of passports and that of Estonian. */
export function nameSpellings(text: string): string[][] {
  if (PLAIN_WORD.test(text)) return [nameWords(text)];
  const estonian = withEstonianLetters(text);
  return [text, ...(estonian === text ? [] : [estonian])].map(nameWords);
}
