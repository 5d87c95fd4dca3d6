import fc from "fast-check";
import { expect, test } from "vitest";
import { daysOf, isDay } from "../../src/time/calendar.ts";

const digits = (count: number) =>
  fc.nat(10 ** count - 1).map((number) => String(number).padStart(count, "0"));

test("a date is a day where the calendar of the engine has it", () => {
  fc.assert(
    fc.property(digits(4), digits(2), digits(2), (year, month, day) => {
      const date = `${year}-${month}-${day}`;
      expect(isDay(date)).toBe(isDayOfTemporal(date));
    }),
  );
});

test("of a month that is there every day is one, and the day after its last is none", () => {
  fc.assert(
    fc.property(fc.nat(9999), fc.integer({ min: 1, max: 12 }), (year, month) => {
      const { daysInMonth } = new Temporal.PlainDate(year, month, 1);
      expect(daysOf(month, year)).toBe(daysInMonth);
      const start = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
      expect(isDay(`${start}-${daysInMonth}`)).toBe(true);
      expect(isDay(`${start}-${daysInMonth + 1}`)).toBe(false);
      expect(isDay(`${start}-00`)).toBe(false);
    }),
  );
});

test("there are no days in months 0 and 13", () => {
  expect([daysOf(0, 2026), daysOf(13, 2026)]).toEqual([0, 0]);
});

function isDayOfTemporal(date: string): boolean {
  try {
    Temporal.PlainDate.from(date);
    return true;
  } catch {
    return false;
  }
}
