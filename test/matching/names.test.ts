import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareNames } from "../../src/matching/comparison/compare-names.ts";
import { gradeOf } from "../../src/matching/comparison/grade.ts";
import { personOf } from "../../src/matching/comparison/person.ts";
import { matchScore } from "../../src/matching/comparison/score.ts";
import { editDistance } from "../../src/matching/names/edit-distance.ts";
import { soundOf } from "../../src/matching/names/sound.ts";
import { MOST_TYPOS, nameVariants } from "../../src/matching/names/variants.ts";
import { nameWords } from "../../src/matching/names/words.ts";
import { verifiedPatient } from "../patients/examples.ts";

describe("the words of a name", () => {
  it.for([
    ["Õunapuu-Käär", ["ounapuu", "kaar"]],
    ["  Mari  Liis ", ["mari", "liis"]],
    ["O'Neill", ["oneill"]],
    ["Weiß", ["weiss"]],
    ["Łukasz Đorđević", ["lukasz", "dordevic"]],
    ["İSTANBULLU Yılmaz", ["istanbullu", "yilmaz"]],
    ["Щербаков Сергей", ["shcherbakov", "sergei"]],
    ["Київ", ["kijiv"]],
    ["Bērziņš", ["berzins"]],
    ["-- .", []],
  ] as const)("of %s", ([text, words]) => {
    expect(nameWords(text)).toEqual(words);
  });

  it("of a text as long as a body are found as soon as those of any other", () => {
    const [long, short] = ["Õ-".repeat(300_000), "Õ-".repeat(500)];
    expect(nameWords(long)).toEqual(nameWords(short));
    expect(fastest(() => nameWords(long))).toBeLessThan(50 * fastest(() => nameWords(short)));
  });

  it("are the same for a text in capitals and decomposed", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."aõäöüšžé -") }), (text) => {
        expect(nameWords(text.toUpperCase())).toEqual(nameWords(text));
        expect(nameWords(text.normalize("NFD"))).toEqual(nameWords(text));
      }),
    );
  });
});

describe("sounds", () => {
  it.for([
    ["sergei", "sergey"],
    ["ivanov", "ivanoff"],
    ["zhanna", "zana"],
    ["philip", "filip"],
    ["wladimir", "vladimir"],
    ["mattias", "matthias"],
    ["Щербаков", "Štšerbakov"],
    ["Щербаков", "Schtscherbakow"],
    ["Щепан", "Szczepan"],
    ["Щедрин", "Ščedrin"],
    ["Хрущёв", "Hruštšov"],
    ["Хрущёв", "Khrushchyov"],
    ["Рыжих", "Ryzhikh"],
    ["Чернышов", "Chernyshov"],
    ["Ксения", "Ksenija"],
  ] as const)("of %s and %s are one", ([one, other]) => {
    expect(nameWords(one).map(soundOf)).toEqual(nameWords(other).map(soundOf));
  });

  it("of Pascal and Pasal are two", () => {
    expect(soundOf("pascal")).not.toBe(soundOf("pasal"));
  });
});

describe("the family name of one person", () => {
  it.for([
    ["Щербаков", "Štšerbakov"],
    ["Рыжих", "Rõžihh"],
    ["Рыжих", "Ryzhikh"],
    ["Хрущёв", "Hruštšov"],
    ["Хрущев", "Hruštšov"],
    ["Чернышёв", "Tšernõšov"],
    ["Щукина", "Štšukina"],
    ["Shcherbakov", "Štšerbakov"],
    ["Shcherbakov", "Ščerbakov"],
    ["Ryzhikh", "Rõžihh"],
    ["Khrushchev", "Hruštšov"],
    ["Mushkin", "Muškin"],
  ] as const)(
    "may be written %s and %s: with given name, birth date and sex they are probable",
    ([one, other]) => {
      const described = (family: string) =>
        personOf(
          verifiedPatient({
            identifier: [],
            name: [{ family, given: ["Marina"] }],
            telecom: [],
            address: [],
          }),
        );
      expect(gradeOf(matchScore(described(one), described(other)))).toBe("probable");
    },
  );

  it.for([
    ["Saar", "Sauer"],
    ["Ivanov", "Ivashov"],
    ["Kask", "Kaasik"],
  ] as const)("is not %s and %s", ([one, other]) => {
    expect(compareNames([nameWords(one)], [nameWords(other)])).toBe("different");
  });
});

describe("typing errors between two texts", () => {
  it.for([
    ["korhonen", "korhonen", 0],
    ["korhonen", "korhnen", 1],
    ["korhonen", "korhoonen", 1],
    ["korhonen", "korhomen", 1],
    ["korhonen", "kohronen", 1],
    ["korhonen", "okrhoenn", 2],
    ["korhonen", "virtanen", 3],
    ["", "ab", 2],
  ] as const)("%s and %s", ([one, other, typos]) => {
    expect(editDistance(one, other, MOST_TYPOS)).toBe(typos);
  });

  it("are not counted in texts longer than any name or number", () => {
    const long = "a".repeat(20_000);
    expect(editDistance(long, `${long.slice(1)}b`, 1)).toBe(2);
    expect(editDistance(long, long, 1)).toBe(0);
  });

  it("are as many either way, and what a plain count of them says", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 7 });
    fc.assert(
      fc.property(word, word, (one, other) => {
        const typos = editDistance(one, other, MOST_TYPOS);
        expect(editDistance(other, one, MOST_TYPOS)).toBe(typos);
        expect(typos).toBe(Math.min(plainDistance(one, other), MOST_TYPOS + 1));
      }),
    );
  });
});

describe("variants of a name", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 14 });

  it("are shared by any two that are within two typing errors", () => {
    const mistyped = fc
      .tuple(
        word,
        fc.array(fc.tuple(fc.nat(3), fc.nat(20), fc.constantFrom("a", "b", "c", "d")), { maxLength: 2 }),
      )
      .map(([text, errors]) => [text, errors.reduce(err, text)] as const);
    fc.assert(
      fc.property(mistyped, ([one, other]) => {
        fc.pre(editDistance(one, other, MOST_TYPOS) <= MOST_TYPOS);
        expect(nameVariants(one).isDisjointFrom(nameVariants(other))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it("are at most 29, however long the name", () => {
    expect(nameVariants("abcdefghijklmnopqrstuvwxyz".repeat(10)).size).toBe(29);
  });
});

/** A letter too many, one too few, a wrong one, or two that changed places. */
function err(text: string, [kind, where, letter]: readonly [number, number, string]): string {
  const at = text.length === 0 ? 0 : where % text.length;
  const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)];
  if (kind === 0) return before + letter + here + after;
  if (kind === 1) return before + after;
  if (kind === 2) return before + (here && letter) + after;
  return before + after.slice(0, 1) + here + after.slice(1);
}

/** The same by its definition, without any shortcut. */
function plainDistance(one: string, other: string): number {
  if (one === "" || other === "") return one.length + other.length;
  const [last, otherLast] = [one.at(-1), other.at(-1)];
  const [rest, otherRest] = [one.slice(0, -1), other.slice(0, -1)];
  const isSwapped = one.length > 1 && other.length > 1 && last === other.at(-2) && one.at(-2) === otherLast;
  return Math.min(
    plainDistance(rest, other) + 1,
    plainDistance(one, otherRest) + 1,
    plainDistance(rest, otherRest) + (last === otherLast ? 0 : 1),
    isSwapped ? plainDistance(one.slice(0, -2), other.slice(0, -2)) + 1 : Number.POSITIVE_INFINITY,
  );
}

/** How long work takes that nothing else delays. */
function fastest(work: () => void): number {
  const times = Array.from({ length: 20 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times);
}
