import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { PeriodSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { checkPeriod, collectFaults, isEnded } from "../../src/content-rules/index.ts";
import { codes } from "./faults.ts";

describe("a period", () => {
  const isAccepted = (start?: string, end?: string) => {
    const { report, faults } = collectFaults();
    const period = create(PeriodSchema, { ...(start ? { start } : {}), ...(end ? { end } : {}) });
    checkPeriod(period, "Patient.name[0].period", report);
    if (faults.length > 0) expect(codes(faults)).toEqual(["MPI-096 Patient.name[0].period"]);
    return faults.length === 0;
  };

  it.each([
    ["2026-05-02", "2026-05-01"],
    ["2026-06", "2026-05-31"],
    ["2026-06-01", "2026-05"],
    ["2027", "2026-12"],
    ["2026-05-01T10:00:00Z", "2026-05-01T12:59:59+03:00"],
    ["2026-05-02", "2026-05-01T20:00:00Z"],
    ["2026-05-02T00:00:00+03:00", "2026-05-01"],
    ["2026-05-02T00:00:00-05:00", "2026-05-01"],
    ["2026-05-01T20:00:00-05:00", "2026-04-30"],
    ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"],
    ["2017-01-02", "2017-01-01T01:59:60.5+02:00"],
  ])("does not begin %s and end %s", (start, end) => {
    expect(isAccepted(start, end)).toBe(false);
  });

  it.each([
    ["2026-05-01", "2026-05-01"],
    ["2026-05-31", "2026-05"],
    ["2026", "2026-01-01"],
    ["2026-05-01T10:00:00Z", "2026-05-01T13:00:00+03:00"],
    ["2026-05-01T23:00:00+03:00", "2026-05-01"],
    ["2016-12-31T23:59:59Z", "2016-12-31T23:59:60Z"],
    // The evening of the day where it was written, which is the next day in Estonia.
    ["2026-05-01T20:00:00-05:00", "2026-05-01"],
    ["2026-05-01", "2026-05-01T00:30:00+10:00"],
    ["2026-05-31T20:00:00-05:00", "2026-05"],
    ["9999-12-31T23:59:59-12:00", "9999-12-31"],
    ["2026-05-01", undefined],
    [undefined, "2026-05-01"],
  ])("may begin %s and end %s", (start, end) => {
    expect(isAccepted(start, end)).toBe(true);
  });
});

describe("what has ended", () => {
  const now = new Date("2026-05-01T12:00:00Z");

  it.each([
    ["2026-04-30", true],
    ["2026-05-01", false],
    ["2026-04", true],
    ["2026", false],
    ["2026-05-01T11:59:59Z", true],
    ["2026-05-01T15:00:01+03:00", false],
    ["2016-12-31T23:59:60Z", true],
  ])("is over at the last moment that %s can mean, in Tallinn: %s", (end, ended) => {
    expect(isEnded(create(PeriodSchema, { end }), now)).toBe(ended);
  });

  it("has an end", () => {
    expect(isEnded(create(PeriodSchema, { start: "2020" }), now)).toBe(false);
    expect(isEnded(undefined, now)).toBe(false);
  });
});
