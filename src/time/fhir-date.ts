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
const WITH_TIME = /T.*(Z|[+-]\d{2}:\d{2})$/;

/** Days of YYYY, YYYY-MM or YYYY-MM-DD; undefined when the text is none of them or names no real day. */
export function daySpan(date: string): DaySpan | undefined {
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(date);
  if (!match) return undefined;
  const [, year = "", month, day] = match;
  if (day && month) return isDay(date) ? { from: date, to: date } : undefined;
  if (!month) return { from: `${year}-01-01`, to: `${year}-12-31` };
  const days = daysOf(Number(month), Number(year));
  return days === 0 ? undefined : { from: `${date}-01`, to: `${date}-${days}` };
}

/**
 * Instants of a FHIR date, dateTime or instant; days are those of Europe/Tallinn.
 * Undefined when the text is no such value.
 */
export function instantSpan(dateTime: string): InstantSpan | undefined {
  if (WITH_TIME.test(dateTime)) {
    const instant = new Date(dateTime);
    return Number.isNaN(instant.getTime()) ? undefined : { from: instant, to: instant };
  }
  const days = daySpan(dateTime);
  if (!days) return undefined;
  const next = Temporal.PlainDate.from(days.to).add({ days: 1 });
  return {
    from: startOf(Temporal.PlainDate.from(days.from)),
    to: new Date(startOf(next).getTime() - 1),
  };
}

/** The instant of a local time (YYYY-MM-DDThh:mm[:ss[.sss]]) without an offset, in Europe/Tallinn: parameters may say so. */
export function localInstantSpan(dateTime: string): InstantSpan | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/.test(dateTime)) return undefined;
  try {
    const { epochMilliseconds } = Temporal.PlainDateTime.from(dateTime).toZonedDateTime(ZONE);
    const precision = dateTime.includes(".") ? 1 : dateTime.length > 16 ? 1_000 : 60_000;
    return { from: new Date(epochMilliseconds), to: new Date(epochMilliseconds + precision - 1) };
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** A FHIR dateTime that names an instant, with the offset of Europe/Tallinn. */
export function instantText(instant: Date): string {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(ZONE);
  return local.toString({ timeZoneName: "never", fractionalSecondDigits: 3 });
}

function startOf(day: Temporal.PlainDate): Date {
  return new Date(day.toZonedDateTime({ timeZone: ZONE }).epochMilliseconds);
}
