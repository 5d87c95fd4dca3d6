import { editDistance } from "../names/edit-distance.ts";
import { skeletonOf, soundOf } from "../names/sound.ts";
import type { NamePart } from "./person.ts";

/** How far two family names, or the given names of two people, agree. The best comes first. */
export type NameLevel = "exact" | "partial" | "close" | "initial" | "shared" | "different" | "missing";

/** A pair of words, by how well they agree. */
const WORD_LEVELS = ["exact", "close", "initial", "different"] as const;
type WordLevel = (typeof WORD_LEVELS)[number];

/** Compares names; the order of their parts, and which comes first of the two, is no matter. */
export function compareNames(one: readonly NamePart[], other: readonly NamePart[]): NameLevel {
  if (one.length === 0 || other.length === 0) return "missing";
  if (haveSame(one.map(joined), other.map(joined))) return "exact";
  const [words, otherWords] = [one.flat(), other.flat()];
  if (haveSame(words, otherWords)) return "exact";
  const [fewer, more] = words.length <= otherWords.length ? [words, otherWords] : [otherWords, words];
  const there = worstOfBest(fewer, more);
  const level = fewer.length === more.length ? worse(there, worstOfBest(more, fewer)) : there;
  if (level === "exact") return "partial";
  if (level !== "different") return level;
  return fewer.some((word) => word.length > 1 && more.includes(word)) ? "shared" : "different";
}

function joined(part: NamePart): string {
  return part.join("");
}

function haveSame(one: readonly string[], other: readonly string[]): boolean {
  const [set, otherSet] = [new Set(one), new Set(other)];
  return set.size === otherSet.size && set.isSubsetOf(otherSet);
}

/** How well the word agrees that agrees worst, each with the one it agrees with best. */
function worstOfBest(words: readonly string[], others: readonly string[]): WordLevel {
  return words.map((word) => others.map((other) => compareWords(word, other)).reduce(better)).reduce(worse);
}

function compareWords(one: string, other: string): WordLevel {
  if (one === other) return "exact";
  const length = Math.max(one.length, other.length);
  if (one.length === 1 || other.length === 1) return one[0] === other[0] ? "initial" : "different";
  const limit = allowedTypos(length);
  if (limit > 0 && editDistance(one, other, limit) <= limit) return "close";
  return length > 3 && soundAlike(one, other) ? "close" : "different";
}

/** The same sound; in a name of five or more one vowel may be another: Ryzhikh is Rõžihh in Estonian. */
function soundAlike(one: string, other: string): boolean {
  if (skeletonOf(one) !== skeletonOf(other)) return false;
  const [sound, otherSound] = [soundOf(one), soundOf(other)];
  const limit = Math.min(sound.length, otherSound.length) > 4 ? 1 : 0;
  return editDistance(sound, otherSound, limit) <= limit;
}

/** In a short name one letter makes another name of it: Ene is not Eve, but Jan may be Jaan. */
function allowedTypos(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

function better(one: WordLevel, other: WordLevel): WordLevel {
  return WORD_LEVELS.indexOf(one) <= WORD_LEVELS.indexOf(other) ? one : other;
}

function worse(one: WordLevel, other: WordLevel): WordLevel {
  return better(one, other) === one ? other : one;
}
