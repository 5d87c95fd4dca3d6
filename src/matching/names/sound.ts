/**
 * Spellings of one sound, in the order in which they are made one: Sergei and Sergey, Ivanov and Iwanow, Zhanna and
 * Žanna, Shcherbakov and Štšerbakov, which is without its accents Stserbakov.
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/schtsch|szcz|shch|sts|sch|sc(?=[ei])/g, "s"],
  [/sh|sz/g, "s"],
  [/zh/g, "z"],
  [/ch|cz|ts|tz/g, "c"],
  [/kh/g, "h"],
  [/ph/g, "f"],
  [/th/g, "t"],
  [/ck|qu|q|c(?=[aouklmnrt]|$)/g, "k"],
  [/x/g, "ks"],
  [/w/g, "v"],
  [/(?<=[szc])[yj]o/g, "o"],
  [/[yj]/g, "i"],
  [/ff?$/, "v"],
  [/(.)\1+/gu, "$1"],
];

const LONGEST_SKELETON = 5;

const MOST_REMEMBERED = 20_000;

/** A word of plain letters as it sounds, roughly: what sounds alike is the same text. */
export const soundOf = remembered((word) =>
  SPELLINGS.reduce((text, [spelling, letters]) => text.replace(spelling, letters), word),
);

/** The consonants of a word as it sounds, behind a mark for a vowel that it begins with: what most typing errors leave. */
export const skeletonOf = remembered((word) => {
  const sound = soundOf(word);
  const start = /^[aeiou]/.test(sound) ? "a" : "";
  return start + sound.replace(/[aeiouh]/g, "").slice(0, LONGEST_SKELETON);
});

/** By word: people bear the same names, and finding out takes longer than all the rest of comparing them. */
function remembered(make: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    let made = known.get(word);
    if (made === undefined) {
      made = make(word);
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(word, made);
    }
    return made;
  };
}
