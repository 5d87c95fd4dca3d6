import type { Period } from "#proto/patientindex/v1/datatypes_pb.ts";
import { instantSpan } from "../time/fhir-date.ts";
import type { Report } from "./report.ts";

/** Whether a period is over: the last instant that its end can mean has passed. An end of no date is none. */
export function isEnded(period: Period | undefined, now: Date): boolean {
  if (period?.end === undefined) return false;
  const end = instantSpan(period.end);
  return end !== undefined && end.to < now;
}

/** A period may not end before it starts (R5, per-1). */
export function checkPeriod(period: Period | undefined, expression: string, report: Report): void {
  if (period?.start === undefined || period.end === undefined) return;
  const start = instantSpan(period.start);
  const end = instantSpan(period.end);
  if (start && end && start.from > end.to) {
    report("PERIOD_REVERSED", { element: expression }, expression);
  }
}
