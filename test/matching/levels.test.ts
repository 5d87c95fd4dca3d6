import { describe, expect, it } from "vitest";
import { compareBirthDates, swapped } from "../../src/matching/comparison/compare-birth-dates.ts";
import { compareAddresses, compareTelecoms } from "../../src/matching/comparison/compare-contacts.ts";
import { compareIdentifiers } from "../../src/matching/comparison/compare-identifiers.ts";
import { personOf } from "../../src/matching/comparison/person.ts";
import { matchScore } from "../../src/matching/comparison/score.ts";
import { type PatientInit, PID, verifiedPatient } from "../patients/examples.ts";

const person = (changes: PatientInit) => personOf(verifiedPatient(changes));

/** Holds whichever comes first. */
function either<Given, Level>(compare: (one: Given, other: Given) => Level, one: Given, other: Given): Level {
  const level = compare(one, other);
  expect(compare(other, one)).toEqual(level);
  return level;
}

describe("birth dates", () => {
  it.each([
    ["1980-05-14", "1980-05-14", "exact"],
    ["1980-05-04", "1980-04-05", "swapped"],
    ["1980-12-01", "1980-01-12", "swapped"],
    ["1980-05-14", "1980-06-14", "onePartDiffers"],
    ["1980-05-14", "1980-05-24", "onePartDiffers"],
    ["1980-05-14", "1980-06-15", "different"],
    ["1980-05-14", "1981-05-14", "onePartDiffers"],
    ["1980-05-14", "1990-05-14", "onePartDiffers"],
    ["1989-05-14", "1998-05-14", "onePartDiffers"],
    // Two digits, and no generation.
    ["1980-05-14", "1994-05-14", "different"],
    ["1980-05-14", "1995-05-14", "generation"],
    // One digit, and more than a generation.
    ["1960-05-14", "1980-05-14", "generation"],
    ["1980-05-14", "1981-05-15", "different"],
    ["1980-05-14", "1980", "sameYear"],
    ["1980-05", "1980", "sameYear"],
    ["1980-05-14", "1980-05", "sameMonth"],
    ["1980-05", "1980-05", "sameMonth"],
    ["1980-05-14", "1980-06", "different"],
    ["1980-05-14", "1981", "different"],
    ["1980-05-14", undefined, "missing"],
  ])("%s and %s: %s", (one, other, level) => {
    expect(either(compareBirthDates, one, other)).toBe(level);
  });

  it("are swapped into another one where the day can be a month", () => {
    expect(swapped("1980-05-12")).toBe("1980-12-05");
    expect(swapped("1980-05-13")).toBeUndefined();
    expect(swapped("1980-05")).toBeUndefined();
  });
});

describe("identifiers", () => {
  const held = (...tokens: readonly string[]) =>
    person({
      identifier: tokens.map((token) => {
        const [type, value = ""] = token.split(" ");
        return { system: `${PID}/${type}`, value };
      }),
    }).identifiers;

  it.each([
    [["fin/ni 131052-308T"], ["fin/ni 131052-308T"], "sameNational"],
    [["fin/ppn PK1"], ["fin/ppn PK1"], "sameDocument"],
    [["fin/ni 131052-308T"], ["fin/ni 131052-308U"], "nearNational"],
    [["fin/ni 131052-308T"], ["fin/ni 131052-380T"], "nearNational"],
    [["fin/ni 131052-308T"], ["fin/ni 131052-319T"], "otherNational"],
    [["fin/ppn PK1"], ["fin/dl PK1"], "sameNumber"],
    [["fin/ni 1"], ["swe/ni 1"], "sameNumber"],
    [["fin/ppn PK1"], ["fin/ppn PK2"], "otherDocument"],
    [["fin/ppn PK1"], ["swe/ppn PK2"], "missing"],
    [["fin/ni 1"], ["swe/ni 2"], "missing"],
    [["fin/ni 1"], [], "missing"],
    // The strongest of several.
    [["fin/ppn PK1", "fin/ni 131052-308T"], ["fin/ppn PK1", "fin/ni 999999-999X"], "sameDocument"],
    [["fin/ppn PK1", "fin/ni 131052-308T"], ["fin/ppn PK2", "fin/ni 131052-308U"], "nearNational"],
    [["fin/ppn PK1", "fin/ni 131052-308T"], ["fin/dl PK1", "fin/ni 999999-999X"], "otherNational"],
    [["fin/ppn PK1"], ["fin/ppn PK2", "fin/dl PK1"], "sameNumber"],
  ])("%j and %j: %s", (one, other, level) => {
    expect(either(compareIdentifiers, held(...one), held(...other))).toBe(level);
  });
});

describe("telecoms", () => {
  const reached = (...values: readonly string[]) =>
    person({ telecom: values.map((value) => ({ system: value.includes("@") ? "email" : "phone", value })) });

  it.each([
    [["5551234"], ["+372 555 1234"], "same"],
    [["Mari@Example.ee "], ["mari@example.ee"], "same"],
    // What the rules of today would not take is compared without its signs of layout.
    [["(372) 12-34.56"], ["372 123456"], "same"],
    [["5551234", "5551235"], ["5551236", "5551235"], "same"],
    [["5551234"], ["5551235"], "different"],
    [["5551234"], [], "missing"],
    [["5551234"], [" "], "missing"],
  ])("%j and %j: %s", (one, other, level) => {
    expect(either(compareTelecoms, reached(...one), reached(...other))).toBe(level);
  });
});

describe("addresses", () => {
  const at = (...address: NonNullable<PatientInit["address"]>) => person({ address });
  const text = (words: string, country = "FI") => ({ country, text: words });
  const home = { country: "FI", line: ["Tie 1"], city: "Oulu", district: "Pohjois-Pohjanmaa" };

  it.each([
    [text("Tie 1 A 2, Oulu"), text("TIE 1 A 2,Oulu"), "same"],
    [text("Tie 1 A Oulu"), text("Tie 1 A 2 Oulu"), "same"],
    [text("Tie 1 Oulu"), text("Tie 1 2 Oulu"), "different"],
    [text("Tie 1, Oulu"), text("Tie 1, Oulu", "SE"), "different"],
    [home, { ...home, line: ["Katu 5"] }, "sameCity"],
    [home, { ...home, line: ["Katu 5"], city: "Kempele" }, "sameCity"],
    [home, { country: "FI", line: ["Katu 5"], city: "Turku" }, "different"],
    [home, text("Tie 1, Oulu"), "same"],
    [home, text(""), "missing"],
    [home, text("", "SE"), "missing"],
  ])("%j and %j: %s", (one, other, level) => {
    expect(either(compareAddresses, at(one), at(other))).toBe(level);
  });

  it("are as alike as the two of them that are most alike", () => {
    const near = { ...home, line: ["Katu 5"] };
    const away = { country: "SE", text: "Gatan 1" };
    expect(compareAddresses(at(away, home), at(near, away))).toBe("same");
    expect(compareAddresses(at(away, home), at(near))).toBe("sameCity");
    expect(compareAddresses(at(home), at(text(""), away))).toBe("different");
  });
});

describe("the sex", () => {
  const score = (one: string, other: string) =>
    matchScore(person({ gender: one }), person({ gender: other }));

  it("says nothing where it is not known of both", () => {
    for (const unknown of ["unknown", "other"]) {
      expect(score("female", unknown)).toBe(score(unknown, unknown));
      expect(score("female", "male")).toBeLessThan(score("female", unknown));
      expect(score("female", "female")).toBeGreaterThan(score("female", unknown));
    }
  });
});

describe("two orders of birth", () => {
  const born = (order: number, identifier: PatientInit["identifier"] = []) =>
    person({ identifier, multipleBirth: { case: "multipleBirthInteger", value: order } });

  it("are of two children, unless one document or national code says otherwise", () => {
    const passport = [{ system: `${PID}/fin/ppn`, value: "PK1" }];
    const code = [{ system: `${PID}/fin/ni`, value: "131052-308T" }];
    expect(matchScore(born(1), born(2))).toBeLessThanOrEqual(0.5);
    for (const identifier of [passport, code]) {
      expect(matchScore(born(1, identifier), born(2, identifier))).toBeGreaterThan(0.9999);
    }
    const another = [{ system: `${PID}/fin/dl`, value: "PK1" }];
    expect(matchScore(born(1, passport), born(2, another))).toBeLessThanOrEqual(0.5);
  });
});
