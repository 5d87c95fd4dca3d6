import type { DayPeriod } from "#proto/patientindex/registers/v1/register_query_pb.ts";

const ZONE = "Europe/Tallinn";
const FULL_AGE = 18;
const HOUR_MS = 3_600_000;

/** The day (YYYY-MM-DD) that it is in Estonia. */
export function today(now: Date): string {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(ZONE);
  return local.toPlainDate().toString();
}

/** The last day that it can be anywhere on Earth: tomorrow in Estonia. */
export function latestDay(now: Date): string {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  if (latest.hour !== hour) latest = { hour, day: dayAfter(today(now)) };
  return latest.day;
}

/** The answer for an hour, which every write asks for: days begin with a full hour. */
let latest = { hour: Number.NaN, day: "" };

/** Whether a period holds on a day; its ends do. */
export function isInForce(period: DayPeriod | undefined, day: string): boolean {
  const { start = "", end = "" } = period ?? {};
  return (start === "" || start <= day) && (end === "" || end >= day);
}

/** The day on which somebody comes of age; undefined when the day of birth is not known. */
export function fullAgeDay(birthDate: string | undefined): string | undefined {
  if (!birthDate || !/^\d{4}-\d{2}-\d{2}$/.test(birthDate)) return undefined;
  return Temporal.PlainDate.from(birthDate).add({ years: FULL_AGE }).toString();
}

/** Whether somebody is under 18 on a day; who was born nobody knows when is not. */
export function isMinor(birthDate: string | undefined, day: string): boolean {
  const fullAge = fullAgeDay(birthDate);
  return fullAge !== undefined && day < fullAge;
}

export function dayAfter(day: string): string {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toString();
}
