import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareBirthDates } from "../../src/matching/comparison/compare-birth-dates.ts";
import { gradeOf } from "../../src/matching/comparison/grade.ts";
import { type Person, personOf } from "../../src/matching/comparison/person.ts";
import { matchScore } from "../../src/matching/comparison/score.ts";
import { limitForAnotherBirthDate } from "../../src/matching/comparison/score-limit.ts";
import { PID, verifiedPatient } from "../patients/examples.ts";
import { person } from "./arbitrary-person.ts";

describe("the score of two descriptions", () => {
  it("is the same whichever comes first, and between 0 and 1", () => {
    fc.assert(
      fc.property(person, person, (one, other) => {
        const score = matchScore(one, other);
        expect(matchScore(other, one)).toBeCloseTo(score, 12);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("is the same whichever comes first of two whose family and given names are confused and agree unlike well", () => {
    const nobody = {
      birthDate: undefined,
      gender: undefined,
      telecoms: new Set<string>(),
      birthOrder: undefined,
    };
    const named = (family: string, given: string): Person => ({
      ...nobody,
      names: [{ family: [[family]], given: [[given]] }],
      addresses: [],
      identifiers: [],
    });
    const [one, other] = [named("tamm", "kristiina"), named("kristiina", "tamme")];
    expect(matchScore(one, other)).toBeCloseTo(matchScore(other, one), 12);
    expect(matchScore(one, other)).toBeGreaterThan(matchScore(one, named("kask", "peeter")));
  });

  it("does not depend on the order of names, telecoms, addresses and identifiers", () => {
    fc.assert(
      fc.property(person, person, (one, other) => {
        expect(matchScore(reversed(one), other)).toBeCloseTo(matchScore(one, other), 12);
      }),
    );
  });

  it("is never raised by a typing error in a name", () => {
    const named = person.map(({ names, ...rest }) => ({ ...rest, names: names.filter(isWhole) }));
    fc.assert(
      fc.property(named, fc.nat(), fc.constantFrom(..."bdgpv"), (one, place, letter) => {
        const wrong = {
          ...one,
          names: one.names.map((name) => ({ ...name, family: mistyped(name.family, place, letter) })),
        };
        expect(matchScore(one, wrong)).toBeLessThanOrEqual(matchScore(one, one) + 1e-12);
      }),
    );
  });

  it("is below its limit for people who were born on quite another day, if they share no telecom and no identifier", () => {
    const knownByName = person.map((one) => ({ ...one, telecoms: new Set<string>() }));
    fc.assert(
      fc.property(knownByName, knownByName, (one, another) => {
        const identifiers = another.identifiers.filter(
          ({ value }) => !one.identifiers.some((given) => given.value === value),
        );
        const other = { ...another, identifiers };
        fc.pre(compareBirthDates(one.birthDate, other.birthDate) === "different");
        expect(matchScore(one, other)).toBeLessThanOrEqual(limitForAnotherBirthDate(one));
      }),
    );
  });

  it("is no possible one then, unless an address or a national code is known", () => {
    const described = person.map((one) => ({ ...one, addresses: [], identifiers: [] }));
    fc.assert(
      fc.property(described, (one) => {
        expect(gradeOf(limitForAnotherBirthDate(one))).toBe("certainly-not");
      }),
    );
  });

  it("is never certain where the national codes of one country differ, whatever else agrees", () => {
    const codes = fc.uniqueArray(fc.stringMatching(/^[0-9]{10}$/), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(person, codes, ({ identifiers, ...rest }, [code = "", otherCode = ""]) => {
        const holding = (value: string): Person => ({
          ...rest,
          ...wellKnown,
          identifiers: [...identifiers, { country: "swe", type: "ni", value }],
        });
        expect(gradeOf(matchScore(holding(code), holding(code)))).toBe("certain");
        expect(gradeOf(matchScore(holding(code), holding(otherCode)))).not.toBe("certain");
      }),
    );
  });

  it("says nothing by what is missing on one side", () => {
    const whole = personOf(verifiedPatient());
    const { telecoms, ...rest } = whole;
    const without = { ...rest, telecoms: new Set<string>() };
    expect(matchScore(without, whole)).toBe(matchScore(without, without));
    expect(telecoms.size).toBe(2);
  });
});

/** What is enough to be certain of. */
const wellKnown = {
  names: [{ family: [["virtanen"]], given: [["aino"]] }],
  birthDate: "1990-02-05",
  telecoms: new Set(["+358401234567"]),
};

describe("grades", () => {
  const stored = verifiedPatient({ birthDate: "1990-02-05" });
  const { identifier: _, telecom: __, address: ___, ...bare } = stored;
  const described = (changes: Parameters<typeof verifiedPatient>[0]) =>
    gradeOf(
      matchScore(
        personOf(verifiedPatient({ ...bare, identifier: [], telecom: [], address: [], ...changes })),
        personOf(stored),
      ),
    );

  it.for([
    ["name, birth date and telephone", { telecom: stored.telecom }, "certain"],
    [
      "the national code, with another birth date",
      { birthDate: "1950-05-05", identifier: stored.identifier },
      "probable",
    ],
    ["name, birth date and sex", {}, "probable"],
    [
      "accents, case and hyphens as they please",
      { name: [{ family: "VIRTANEN", given: ["Áino-Maria"] }] },
      "probable",
    ],
    [
      "family and given names in each other's place",
      { name: [{ family: "Aino Maria", given: ["Virtanen"] }] },
      "probable",
    ],
    [
      "a typing error in each name",
      { name: [{ family: "Virtannen", given: ["Aion", "Maria"] }] },
      "probable",
    ],
    ["day and month of birth the other way round", { birthDate: "1990-05-02" }, "probable"],
    ["a year of birth alone", { birthDate: "1990" }, "possible"],
    ["another given name: a twin", { name: [{ family: "Virtanen", given: ["Eero"] }] }, "possible"],
    [
      "another national code",
      { identifier: [{ system: stored.identifier[0]?.system ?? "", value: "150590-9876" }] },
      "possible",
    ],
    [
      "another name and birth date",
      { name: [{ family: "Korhonen", given: ["Mikko"] }], birthDate: "1960-02-03" },
      "certainly-not",
    ],
  ] as const)("of %s", ([, changes, grade]) => {
    expect(described(changes as Parameters<typeof verifiedPatient>[0])).toBe(grade);
  });
});

describe("two records that share family name, birth date, telephone and address", () => {
  const shared = {
    birthDate: "1980-11-12",
    telecom: [{ system: "phone", value: "+37121234567" }],
    address: [{ use: "home", country: "LV", text: "Brīvības iela 1, Rīga" }],
  };
  /** The identifiers as `lva/ni|value`. */
  const recordOf = (given: string, ...identifiers: string[]) =>
    personOf(
      verifiedPatient({
        ...shared,
        name: [{ family: "Ozols", given: [given] }],
        identifier: identifiers.map((one) => {
          const [path, value] = one.split("|") as [string, string];
          return { system: `${PID}/${path}`, value };
        }),
      }),
    );
  const gradeOfPair = (one: Person, other: Person) => gradeOf(matchScore(one, other));

  it.each([
    ["Ants", "Anti"],
    ["Maria", "Marja"],
  ])("and have national codes of their own are possible, as twins named %s and %s", (one, other) => {
    const [first, second] = [recordOf(one, "lva/ni|121180-10017"), recordOf(other, "lva/ni|121180-10432")];
    expect(gradeOfPair(first, second)).toBe("possible");
  });

  it("and the given name too are probable, whatever their national codes", () => {
    const [one, other] = [recordOf("Ants", "lva/ni|121180-10017"), recordOf("Ants", "lva/ni|121180-10432")];
    expect(gradeOfPair(one, other)).toBe("probable");
  });

  it("and whose national codes are a typing error apart are probable", () => {
    const [right, wrong] = [recordOf("Ants", "lva/ni|121180-10017"), recordOf("Ants", "lva/ni|121180-10071")];
    expect(gradeOfPair(right, wrong)).toBe("probable");
  });

  it("and whose national codes differ are not certain by a document either", () => {
    const first = recordOf("Ants", "lva/ni|121180-10017", "lva/ppn|LV123");
    const second = recordOf("Ants", "lva/ni|121180-10432", "lva/ppn|LV123");
    expect(gradeOfPair(first, second)).toBe("probable");
  });

  it("and hold one national code of several in common, or codes of two countries, are certain", () => {
    const both = recordOf("Ants", "lva/ni|121180-10017", "lva/ni|321180-10017");
    expect(gradeOfPair(both, recordOf("Ants", "lva/ni|321180-10017"))).toBe("certain");
    expect(gradeOfPair(both, recordOf("Ants", "ltu/ni|38011120017"))).toBe("certain");
  });
});

function reversed(person: Person): Person {
  return {
    ...person,
    names: person.names
      .map(({ family, given }) => ({ family: family.toReversed(), given: given.toReversed() }))
      .toReversed(),
    telecoms: new Set([...person.telecoms].toReversed()),
    addresses: person.addresses.toReversed(),
    identifiers: person.identifiers.toReversed(),
  };
}

function isWhole({ family, given }: Person["names"][number]): boolean {
  return family.length > 0 && given.length > 0;
}

/** One letter of the first word is another one. */
function mistyped(parts: Person["names"][number]["family"], place: number, letter: string): typeof parts {
  return parts.map((words, part) =>
    part > 0
      ? words
      : words.map((word, index) => {
          const at = place % word.length;
          return index > 0 ? word : word.slice(0, at) + letter + word.slice(at + 1);
        }),
  );
}
