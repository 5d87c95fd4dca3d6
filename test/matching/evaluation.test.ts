import { describe, expect, it } from "vitest";
import { recordBlocks } from "../../src/matching/blocking/match-blocks.ts";
import { type Grade, gradeOf } from "../../src/matching/comparison/grade.ts";
import { type Person, personOf } from "../../src/matching/comparison/person.ts";
import { matchScore } from "../../src/matching/comparison/score.ts";
import { type Planted, plantDuplicates } from "./planted-duplicates.ts";

interface Figures {
  /** Pairs of records of one person. */
  readonly duplicates: number;
  /** How many of them share enough to be compared. */
  readonly compared: number;
  /** By grade: pairs of one person, and pairs of two. */
  readonly right: Readonly<Record<Grade, number>>;
  readonly wrong: Readonly<Record<Grade, number>>;
}

describe("the pairs that a scan of invented people with planted duplicates compares", () => {
  const figures = evaluate(plantDuplicates(8000));
  const { right, wrong, duplicates, compared } = figures;

  it("are nearly all that there are", () => {
    expect(compared / duplicates).toBeGreaterThan(0.97);
  });

  it("are one person when they are said to be certain", () => {
    expect(right.certain / (right.certain + wrong.certain)).toBeGreaterThan(0.999);
    expect(right.certain / duplicates).toBeGreaterThan(0.3);
  });

  it("are mostly one person when they are said to be probable or more", () => {
    const [found, mistaken] = [right.certain + right.probable, wrong.certain + wrong.probable];
    expect(found / (found + mistaken)).toBeGreaterThan(0.98);
    expect(found / duplicates).toBeGreaterThan(0.85);
  });

  it("miss few when those that are possible are looked at too", () => {
    expect((duplicates - missed(figures)) / duplicates).toBeGreaterThan(0.95);
  });
});

function missed({ duplicates, right }: Figures): number {
  return duplicates - right.certain - right.probable - right.possible;
}

function evaluate({ records, persons }: Planted): Figures {
  const described = records.map(personOf);
  const nothing = () => ({ certain: 0, probable: 0, possible: 0, "certainly-not": 0 });
  const [right, wrong] = [nothing(), nothing()];
  let compared = 0;
  for (const [place, other] of pairsToCompare(described)) {
    const isSame = persons[place] === persons[other];
    if (isSame) compared++;
    (isSame ? right : wrong)[gradeOf(matchScore(described[place] as Person, described[other] as Person))]++;
  }
  return { duplicates: duplicatesAmong(persons), compared, right, wrong };
}

/** Pairs that share a narrow block or two others, as a scan takes them. */
function pairsToCompare(described: readonly Person[]): [number, number][] {
  const members = new Map<bigint, number[]>();
  return described.flatMap((person, place) => {
    const shared = new Map<number, number>();
    for (const { key, isNarrow } of recordBlocks(person)) {
      const others = members.get(key) ?? [];
      for (const other of others) shared.set(other, (shared.get(other) ?? 0) + (isNarrow ? 2 : 1));
      members.set(key, [...others, place]);
    }
    return [...shared].filter(([, weight]) => weight >= 2).map(([other]): [number, number] => [place, other]);
  });
}

function duplicatesAmong(persons: readonly number[]): number {
  const records = Map.groupBy(persons, (person) => person).values();
  return records.map(({ length }) => (length * (length - 1)) / 2).reduce((sum, pairs) => sum + pairs, 0);
}
