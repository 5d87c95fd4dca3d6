import { describe, expect, it } from "vitest";
import { daySpan, instantSpan, parameterSpan } from "../../src/time/fhir-date.ts";

type Span = ReturnType<typeof instantSpan>;

function shown(span: Span): string | undefined {
  return span && `${span.from.toISOString()} to ${span.to.toISOString()}`;
}

describe("the days of a date", () => {
  it.each([
    ["2026", "2026-01-01", "2026-12-31"],
    ["2024-02", "2024-02-01", "2024-02-29"],
    ["2026-02", "2026-02-01", "2026-02-28"],
    ["2026-05-01", "2026-05-01", "2026-05-01"],
    ["0001", "0001-01-01", "0001-12-31"],
  ])("%s begin at %s and end at %s", (date, from, to) => {
    expect(daySpan(date)).toEqual({ from, to });
  });

  it.each([
    "0000",
    "0000-05",
    "2026-13",
    "2026-00",
    "2026-02-29",
    "2026-5-1",
    "26",
    "2026-05-01T10:00:00Z",
    "",
  ])("are none of %j", (text) => {
    expect(daySpan(text)).toBeUndefined();
  });
});

describe("a time in a parameter", () => {
  it.each([
    ["a day of Tallinn", "2026-01-15", "2026-01-14T22:00:00.000Z to 2026-01-15T21:59:59.999Z"],
    ["the day of 23 hours", "2026-03-29", "2026-03-28T22:00:00.000Z to 2026-03-29T20:59:59.999Z"],
    ["a minute", "2026-01-15T10:00Z", "2026-01-15T10:00:00.000Z to 2026-01-15T10:00:59.999Z"],
    ["a second", "2026-01-15T10:00:07Z", "2026-01-15T10:00:07.000Z to 2026-01-15T10:00:07.999Z"],
    ["a fraction of one", "2026-01-15T10:00:07.5Z", "2026-01-15T10:00:07.500Z to 2026-01-15T10:00:07.500Z"],
    [
      "of another offset",
      "2026-01-15T10:00:07-05:00",
      "2026-01-15T15:00:07.000Z to 2026-01-15T15:00:07.999Z",
    ],
    [
      "of the first place",
      "2026-01-15T10:00:07+14:00",
      "2026-01-14T20:00:07.000Z to 2026-01-14T20:00:07.999Z",
    ],
    ["of the next", "2026-01-15T10:00:07+13:45", "2026-01-14T20:15:07.000Z to 2026-01-14T20:15:07.999Z"],
    ["of Tallinn in winter", "2026-01-15T10:00", "2026-01-15T08:00:00.000Z to 2026-01-15T08:00:59.999Z"],
    ["of Tallinn in summer", "2026-07-15T10:00:07", "2026-07-15T07:00:07.000Z to 2026-07-15T07:00:07.999Z"],
    [
      "with a + that was not escaped",
      "2026-01-15T10:00 02:00",
      "2026-01-15T08:00:00.000Z to 2026-01-15T08:00:59.999Z",
    ],
  ])("is %s", (_what, text, span) => {
    expect(shown(parameterSpan(text))).toBe(span);
  });

  it.each([
    "2026-02-30T10:00",
    "2026-02-30T10:00:00Z",
    "2026-01-15T25:00",
    "2026-01-15T10",
    "2026-01-15T10:00:00+14:01",
    "2026-01-15T10:00:00+99:00",
    "2026-01-15T10:00 02",
    "0000-01-15T10:00Z",
    "0000-01-15",
    "2026-01-15T",
    "yesterday",
    "",
  ])("is none as %j", (text) => {
    expect(parameterSpan(text)).toBeUndefined();
  });
});

describe("a time that a resource holds", () => {
  it("is one instant, and needs an offset", () => {
    const instant = "2026-01-15T10:00:07.250Z to 2026-01-15T10:00:07.250Z";
    expect(shown(instantSpan("2026-01-15T12:00:07.25+02:00"))).toBe(instant);
    expect(instantSpan("2026-01-15T12:00:07")).toBeUndefined();
    expect(instantSpan("2026-13-15T12:00:07Z")).toBeUndefined();
    expect(instantSpan("0000-01-15T12:00:07Z")).toBeUndefined();
  });
});
