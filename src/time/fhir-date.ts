import { daysOf, isDay } from "./calendar.ts";

/** The span of instants that a FHIR date or dateTime of any precision can mean: from inclusive, to inclusive. */
export interface InstantSpan {
  readonly from: Date;
  readonly to: Date;
}

/** First and last calendar day (YYYY-MM-DD) that a FHIR date can mean. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

const ZONE = "Europe/Tallinn";
/** FHIR has none. */
const YEAR_ZERO = "0000";
const FULL_DATE_LENGTH = "YYYY-MM-DD".length;
const WITH_TIME = /^\d{4}-.*T.*(Z|[+-]\d{2}:\d{2})$/;
const LEAP_SECOND = /:60(?=[.Z+-])/;
const SECOND_MS = 1_000;
const PARAMETER_TIME =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?<second>:\d{2}(?<fraction>\.\d{1,9})?)?(?<offset>Z|[+-](?:(?:0\d|1[0-3]):\d{2}|14:00))?$/;
/** Outside them neither Timestamp nor the tables have instants. */
const FIRST = Date.parse("0001-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/** Days of YYYY, YYYY-MM or YYYY-MM-DD; undefined when the text is none of them or names no real day. */
export function daySpan(date: string): DaySpan | undefined {
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(date);
  if (!match) return undefined;
  const [, year = "", month, day] = match;
  if (year === YEAR_ZERO) return undefined;
  if (day && month) return isDay(date) ? { from: date, to: date } : undefined;
  if (!month) return { from: `${year}-01-01`, to: `${year}-12-31` };
  const days = daysOf(Number(month), Number(year));
  return days === 0 ? undefined : { from: `${date}-01`, to: `${date}-${days}` };
}

/**
 * Days that a FHIR date or dateTime can mean; a time those on which it was where it was written down and in Estonia.
 * Undefined when the text is no such value.
 */
export function daysMeant(dateTime: string): DaySpan | undefined {
  if (!dateTime.includes("T")) return daySpan(dateTime);
  const instant = instantSpan(dateTime)?.from;
  if (instant === undefined) return undefined;
  // Of the last of all hours it is a year of five digits in Estonia, which no date has.
  const days = [dateTime, instantText(instant)]
    .map((time) => time.slice(0, FULL_DATE_LENGTH))
    .filter(isFullDate);
  const [from = "", to = from] = days.sort();
  return { from, to };
}

/** Whether a text is a date of a whole day: no time, and more than a year or a month. */
export function isFullDate(text: string): boolean {
  return text.length === FULL_DATE_LENGTH && daySpan(text) !== undefined;
}

/**
 * Instants of a FHIR date, dateTime or instant; days are those of Europe/Tallinn.
 * Undefined when the text is no such value.
 */
export function instantSpan(dateTime: string): InstantSpan | undefined {
  if (dateTime.startsWith(YEAR_ZERO)) return undefined;
  if (WITH_TIME.test(dateTime)) {
    const milliseconds = instantOf(dateTime);
    return Number.isNaN(milliseconds) ? undefined : spanOf(milliseconds, milliseconds);
  }
  const days = daySpan(dateTime);
  if (!days) return undefined;
  const next = Temporal.PlainDate.from(days.to).add({ days: 1 });
  return spanOf(startOf(Temporal.PlainDate.from(days.from)), startOf(next) - 1);
}

/**
 * Instants of a date or time in a parameter, all of the day, minute or second that it names; without an offset it is of
 * Europe/Tallinn. Undefined when the text is no such value.
 */
export function parameterSpan(text: string): InstantSpan | undefined {
  if (!text.includes("T")) return instantSpan(text);
  // An unescaped + of a URL has become a space.
  const time = text.replace(/ (?=\d{2}:\d{2}$)/, "+");
  const match = PARAMETER_TIME.exec(time);
  if (!match || time.startsWith(YEAR_ZERO)) return undefined;
  const from = millisecondsOf(time, match.groups?.["offset"] !== undefined);
  return from === undefined ? undefined : spanOf(from, from + lengthOf(match.groups) - 1);
}

/** A leap second, which R5 allows and clocks do not know, is the second after it, as in the instants of the gateway. */
function instantOf(dateTime: string): number {
  const before = dateTime.replace(LEAP_SECOND, ":59");
  return Date.parse(before) + (before === dateTime ? 0 : SECOND_MS);
}

/** A FHIR dateTime that names an instant, with the offset of Europe/Tallinn. */
export function instantText(instant: Date): string {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(ZONE);
  return local.toString({ timeZoneName: "never", fractionalSecondDigits: 3 });
}

/** An instant by its milliseconds since 1970; outside the years 1 to 9999 (UTC) the nearest one in them. */
export function nearestInstant(milliseconds: number): Date {
  return new Date(Math.min(Math.max(milliseconds, FIRST), LAST));
}

/** Undefined for a time that is not in the calendar. */
function millisecondsOf(time: string, hasOffset: boolean): number | undefined {
  try {
    if (hasOffset) return Temporal.Instant.from(time).epochMilliseconds;
    return Temporal.PlainDateTime.from(time).toZonedDateTime(ZONE).epochMilliseconds;
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** How long the time lasts that is named to a fraction, a second or a minute. */
function lengthOf({ second, fraction }: Readonly<Record<string, string | undefined>> = {}): number {
  if (fraction !== undefined) return 1;
  return second === undefined ? 60_000 : SECOND_MS;
}

function spanOf(from: number, to: number): InstantSpan {
  return { from: nearestInstant(from), to: nearestInstant(to) };
}

function startOf(day: Temporal.PlainDate): number {
  return day.toZonedDateTime({ timeZone: ZONE }).epochMilliseconds;
}
