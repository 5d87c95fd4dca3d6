import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Grade, gradeOf } from "../../src/matching/comparison/grade.ts";
import { type Person, personOf } from "../../src/matching/comparison/person.ts";
import { matchScore } from "../../src/matching/comparison/score.ts";
import { type PatientInit, PID, verifiedPatient } from "../patients/examples.ts";
import { person } from "./arbitrary-person.ts";

const HOME: PatientInit = {
  telecom: [{ system: "phone", value: "5123401" }],
  address: [{ use: "home", country: "EE", text: "Pikk 1-2, Tartu" }],
};

interface Member {
  readonly given: string;
  readonly birthDate?: string;
  readonly gender?: string;
  readonly passport?: string | undefined;
  readonly others?: PatientInit;
}

function recordOf({ given, birthDate, gender = "male", passport, others = HOME }: Member) {
  return personOf(
    verifiedPatient({
      gender,
      birthDate,
      name: [{ use: "official", family: "Ploom", given: [given] }],
      identifier: passport === undefined ? [] : [{ system: `${PID}/ukr/ppn`, value: passport }],
      ...others,
    }),
  );
}

function gradeOfPair(one: Member, other: Member): Grade {
  return gradeOf(matchScore(recordOf(one), recordOf(other)));
}

describe("twins who share home, telephone, birth date and sex", () => {
  const [birthDate, gender] = ["2010-02-03", "female"];
  const pair = (one: string, other: string, others?: Partial<Member>) =>
    gradeOfPair(
      { given: one, birthDate, gender, passport: "A1", ...others },
      { given: other, birthDate, gender, passport: "B2", ...others },
    );

  it.for([
    ["Marko", "Mirko", "probable"],
    ["Maria", "Marina", "probable"],
    ["Anna-Liisa", "Anna-Maria", "possible"],
    ["Anna Liisa", "Anna Maria Helena", "possible"],
    ["Hilda", "Selma", "possible"],
  ] as const)("named %s and %s are %s", ([one, other, grade]) => {
    expect(pair(one, other)).toBe(grade);
    expect(pair(one, other, { passport: undefined })).toBe(grade);
  });

  it("are certain by one document, whose name was mistyped then", () => {
    expect(pair("Marko", "Mirko", { passport: "A1" })).toBe("certain");
  });

  it("of whom one has no given name yet are not certain", () => {
    const nameless = { use: "official", family: "Ploom", given: [] };
    const one = recordOf({ given: "Anu", birthDate });
    const other = recordOf({ given: "", birthDate, others: { ...HOME, name: [nameless] } });
    expect(gradeOf(matchScore(one, other))).toBe("probable");
  });
});

describe("two records without an identifier in common are never certain", () => {
  const bare = person.map((described): Person => ({ ...described, identifiers: [] }));
  const named = (given: string) => ({ names: [{ family: [["ploom"]], given: [[given]] }] });

  it.for(["mirko", "m", "markko", "peeter"])("where the one is called marko and the other %s", (given) => {
    fc.assert(
      fc.property(bare, (described) => {
        const [one, other] = [
          { ...described, ...named("marko") },
          { ...described, ...named(given) },
        ];
        expect(gradeOf(matchScore(one, other))).not.toBe("certain");
      }),
    );
  });

  it("where one birth date is missing", () => {
    fc.assert(
      fc.property(bare, (described) => {
        const one = { ...described, ...named("marko") };
        expect(gradeOf(matchScore(one, { ...one, birthDate: undefined }))).not.toBe("certain");
      }),
    );
  });
});

describe("a person who is registered twice with home and telephone", () => {
  it.for([
    ["the same name", "Anna Maria", "Anna Maria"],
    ["one given name of two", "Anna Maria", "Anna"],
  ] as const)("is certain by birth date and %s", ([, one, other]) => {
    const birthDate = "2010-02-03";
    expect(gradeOfPair({ given: one, birthDate }, { given: other, birthDate })).toBe("certain");
  });
});

describe("relatives of one family name, home and telephone", () => {
  it.for([
    ["Karl", "2010-05-01", "Karel", "2013-11-20", "male"],
    ["Maria", "2010-05-01", "Marina", "2013-11-20", "female"],
    ["Anna Liisa", "2010-05-01", "Anna Maria", "2013-11-20", "female"],
    ["Mari", "1980-05-01", "Marin", "2010-11-20", "female"],
    ["John", "1950-05-01", "John", "1980-11-20", "male"],
    ["Mart", "1950-01-01", "Mart", "1980-01-01", "male"],
    ["Mart", "1950", "Mart", "1980", "male"],
  ] as const)("%s of %s and %s of %s are not kept by a scan", ([one, born, other, otherBorn, gender]) => {
    for (const passports of [["A1", "B2"], []]) {
      const [first, second] = passports;
      const grade = gradeOfPair(
        { given: one, birthDate: born, gender, ...(first && { passport: first }) },
        { given: other, birthDate: otherBorn, gender, ...(second && { passport: second }) },
      );
      expect(["possible", "certainly-not"]).toContain(grade);
    }
  });

  it("who bear one given name are probable where a birth date is missing, and not certain", () => {
    expect(gradeOfPair({ given: "Mart", birthDate: "1950-01-01" }, { given: "Mart" })).toBe("probable");
    expect(gradeOfPair({ given: "Mart" }, { given: "Mart" })).toBe("probable");
  });
});

describe("the newborn of one family and day", () => {
  let numbers = 0;
  const record = (multipleBirth: number | undefined, changes: PatientInit = {}) =>
    personOf(
      verifiedPatient({
        identifier: [{ system: `${PID}/est/prn`, value: `H-${++numbers}` }],
        name: [{ use: "temp", family: "Ploom", given: ["laps"] }],
        birthDate: "2026-03-04",
        gender: "female",
        telecom: [],
        address: [],
        multipleBirth:
          multipleBirth === undefined
            ? { case: undefined }
            : { case: "multipleBirthInteger", value: multipleBirth },
        ...changes,
      }),
    );
  const gradeOfRecords = (one: ReturnType<typeof record>, other: ReturnType<typeof record>) =>
    gradeOf(matchScore(one, other));

  it("are possible at most when they were born one after the other", () => {
    expect(gradeOfRecords(record(1), record(2))).toBe("possible");
  });

  it("are possible at most when the one is stillborn", () => {
    const deceased: PatientInit = { deceased: { case: "deceasedBoolean", value: true } };
    expect(gradeOfRecords(record(1, deceased), record(2))).toBe("possible");
  });

  it("are possible at most too when what they are called agrees", () => {
    const named: PatientInit = { ...HOME, name: [{ use: "official", family: "Ploom", given: ["Anu"] }] };
    expect(gradeOfRecords(record(1, named), record(2, named))).toBe("possible");
  });

  it("are one person by their document, whatever the order: it was mistyped", () => {
    const identifier = [{ system: `${PID}/est/ni`, value: "62603040011" }];
    const named: PatientInit = { identifier, name: [{ use: "official", family: "Ploom", given: ["Anu"] }] };
    expect(gradeOfRecords(record(1, named), record(2, named))).toBe("certain");
  });

  it("are as likely one person when one order is not known as when both are the same", () => {
    expect(matchScore(record(1), record(undefined))).toBe(matchScore(record(1), record(1)));
    expect(matchScore(record(1), record(1))).toBeGreaterThan(matchScore(record(1), record(2)));
  });

  it("are not told apart nor brought together by what they are called for the time being", () => {
    const otherwise: PatientInit = { name: [{ use: "temp", family: "Ploom", given: ["poeg"] }] };
    const nameless: PatientInit = { name: [{ use: "temp", family: "Ploom" }] };
    expect(matchScore(record(1), record(1, otherwise))).toBe(matchScore(record(1), record(1)));
    expect(matchScore(record(1), record(1, nameless))).toBe(matchScore(record(1), record(1)));
  });
});
