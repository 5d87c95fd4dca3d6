import type { Period } from "#proto/patientindex/v1/datatypes_pb.ts";
import { daysMeant, instantSpan } from "../time/fhir-date.ts";
import type { Report } from "./report.ts";

/** Of any precision, without a time. */
const DATE = /^\d{4}(?:-\d{2}){0,2}$/;

/** Whether a period is over: the last instant that its end can mean has passed. An end of no date is none. */
export function isEnded(period: Period | undefined, now: Date): boolean {
  if (period?.end === undefined) return false;
  const end = instantSpan(period.end);
  return end !== undefined && end.to < now;
}

/** A period may not end before it starts (R5, per-1). */
export function checkPeriod(period: Period | undefined, expression: string, report: Report): void {
  if (period && isReversedPeriod(period)) report("PERIOD_REVERSED", { element: expression }, expression);
}

export function isReversedPeriod({ start, end }: Pick<Period, "start" | "end">): boolean {
  return start !== undefined && end !== undefined && isReversed(start, end);
}

function isReversed(start: string, end: string): boolean {
  const dates = [start, end].filter((one) => DATE.test(one)).length;
  if (dates === 2) return isReversedByDate(start, end);
  return dates === 1 ? isReversedByDay(start, end) : isReversedByInstant(start, end);
}

/** By what both of them say: a month and a day of it are not in any order. */
function isReversedByDate(start: string, end: string): boolean {
  const common = Math.min(start.length, end.length);
  return start.slice(0, common) > end.slice(0, common);
}

/** A time beside a date is of the day on which it was where it was written, and of that in Estonia. */
function isReversedByDay(start: string, end: string): boolean {
  const from = daysMeant(start)?.from;
  const to = daysMeant(end)?.to;
  return from !== undefined && to !== undefined && from > to;
}

function isReversedByInstant(start: string, end: string): boolean {
  const from = instantSpan(start)?.from;
  const to = instantSpan(end)?.to;
  return from !== undefined && to !== undefined && from > to;
}
