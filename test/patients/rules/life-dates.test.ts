import { describe, expect, it } from "vitest";
import { acceptChangedPatient, acceptNewPatient } from "../../../src/patients/rules/index.ts";
import { codes, setting } from "../../content-rules/faults.ts";
import { estonianPatient, type PatientInit, verifiedPatient } from "../examples.ts";

const BIRTH = ["MPI-096 Patient.birthDate"];
const DEATH = ["MPI-096 Patient.deceased"];

/** Today is 2026-05-01. */
function post(birthDate: string | undefined, death?: string): string[] {
  return codes(acceptNewPatient(verifiedPatient(dates(birthDate, death)), setting).faults);
}

function dates(birthDate: string | undefined, death?: string): PatientInit {
  if (death === undefined) return { birthDate };
  return { birthDate, deceased: { case: "deceasedDateTime", value: death } };
}

describe("a birth", () => {
  it.each(["2026-05-03", "2026-06", "2027", "2099-01-01", "9999"])("is not at %s, in the future", (date) => {
    expect(post(date)).toEqual(BIRTH);
  });

  it.each(["2026-05-01", "2026-05", "2026", "0001", undefined])("may be at %s", (date) => {
    expect(post(date)).toEqual([]);
  });

  it("may be on the next day, which it is already elsewhere", () => {
    expect(post("2026-05-02")).toEqual([]);
  });
});

describe("a death", () => {
  it.each([
    "2026-05-03",
    "2026-06",
    "2027",
    "2199-01-01",
    "2026-05-03T12:00:00Z",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-14:00",
    "2026-12-31T23:59:60Z",
  ])("is not at %s, in the future", (date) => {
    expect(post("1950-01-01", date)).toEqual(DEATH);
  });

  it.each([
    ["2026-04-30", "2026-04-29"],
    ["2026-04-30", "2026-03"],
    ["2026-04", "2026-03-31"],
    ["2026", "2025"],
    ["2026-04-30", "2026-04-28T23:00:00Z"],
    ["2026-04-30", "0001"],
    ["2026-04-30", "2016-12-31T23:59:60Z"],
  ])("of somebody born at %s is not at %s", (birth, death) => {
    expect(post(birth, death)).toEqual(DEATH);
  });

  it.each([
    ["2026-04-30", "2026-04-30"],
    ["2026-04-30", "2026-04"],
    ["2026-04-30", "2026"],
    ["2026-04", "2026-04-01"],
    ["2026", "2026-01-01"],
    ["0001", "0001-01-01T00:00:00+14:00"],
    [undefined, "1950"],
    ["2016-12-31", "2016-12-31T23:59:60Z"],
  ])("of somebody born at %s may be at %s", (birth, death) => {
    expect(post(birth, death)).toEqual([]);
  });

  it("in the first hours of the day of birth may be written in UTC, or by the clock of the place", () => {
    expect(post("2026-04-30", "2026-04-29T21:30:00Z")).toEqual([]);
    expect(post("2026-04-30", "2026-04-30T05:00:00+12:00")).toEqual([]);
  });

  it("is told beside a birth in the future", () => {
    expect(post("2099-01-01", "1950-01-01")).toEqual([...BIRTH, ...DEATH]);
  });
});

describe("dates that are stored already", () => {
  it.each([dates("2099-01-01"), dates("1980-01-08", "1950")])("can be put back: %o", (odd) => {
    const stored = estonianPatient(odd);
    expect(acceptChangedPatient(stored, stored, setting).faults).toEqual([]);
  });

  it.each<[string, PatientInit, PatientInit, readonly string[]]>([
    ["into the future", dates("1980-01-08"), dates("2099-01-01"), BIRTH],
    ["behind the death", dates("1980-01-08", "2020"), dates("2021", "2020"), DEATH],
    ["by a death in the future", dates("1980-01-08"), dates("1980-01-08", "2099"), DEATH],
    ["by another such death", dates("1980-01-08", "1950"), dates("1980-01-08", "1951"), DEATH],
    ["beside what stays odd", dates("2099-01-01", "1950"), dates("2099-01-01", "1951"), [...BIRTH, ...DEATH]],
    ["and may be mended", dates("2099-01-01"), dates("1999-01-01"), []],
  ])("are looked at when they change, %s", (_how, before, after, faults) => {
    const changed = acceptChangedPatient(verifiedPatient(before), verifiedPatient(after), setting);
    expect(codes(changed.faults)).toEqual(faults);
  });
});
