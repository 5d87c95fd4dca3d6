/** Spellings of one sound, in the order in which they are made one: Sergei and Sergey, Ivanov and Iwanow, Zhanna and Žanna. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/shch|sch/g, "s"],
  [/sh|sz/g, "s"],
  [/zh/g, "z"],
  [/ch|cz|ts|tz/g, "c"],
  [/kh/g, "h"],
  [/ph/g, "f"],
  [/th/g, "t"],
  [/ck|qu|q|c(?=[aouklmnrt]|$)/g, "k"],
  [/x/g, "ks"],
  [/w/g, "v"],
  [/[yj]/g, "i"],
  [/ff?$/, "v"],
  [/(.)\1+/gu, "$1"],
];

const LONGEST_SKELETON = 5;

/** Sounds by word: people bear the same names, and finding out takes longer than all the rest of comparing them. */
const knownSounds = new Map<string, string>();
const MOST_KNOWN_SOUNDS = 20_000;

/** A word of plain letters as it sounds, roughly: what sounds alike is the same text. */
export function soundOf(word: string): string {
  let sound = knownSounds.get(word);
  if (sound === undefined) {
    sound = SPELLINGS.reduce((text, [spelling, letters]) => text.replace(spelling, letters), word);
    if (knownSounds.size >= MOST_KNOWN_SOUNDS) knownSounds.clear();
    knownSounds.set(word, sound);
  }
  return sound;
}

/** The consonants of a word as it sounds, behind a mark for a vowel that it begins with: what most typing errors leave. */
export function skeletonOf(word: string): string {
  const sound = soundOf(word);
  const start = /^[aeiou]/.test(sound) ? "a" : "";
  return start + sound.replace(/[aeiouh]/g, "").slice(0, LONGEST_SKELETON);
}
