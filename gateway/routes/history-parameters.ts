import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { MpiError } from "../../src/errors/index.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import { malformedParameter } from "../exchange/query.ts";
import { nearestTimestamp } from "../fhir/index.ts";

/** What both histories take. */
export const historyParameterNames = ["_count", "_since", "_sort", "_page"] as const;

/** Which part of a history is asked for. */
export interface HistoryPage {
  readonly pageSize: number;
  readonly pageToken: string;
  readonly since?: Timestamp;
  readonly oldestFirst: boolean;
}

const ZONE = "Europe/Tallinn";
const MOST = 1_000_000;
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;

/** Reads the parameters of a history, already known to be given once (MPI-037, MPI-096). */
export function historyPage(request: FhirRequest): HistoryPage {
  const given = new Map(request.parameters.map(({ name, value }) => [name, value]));
  const since = given.get("_since");
  return {
    pageSize: countOf(given.get("_count")),
    pageToken: given.get("_page") ?? "",
    ...(since !== undefined && { since: sinceOf(since) }),
    oldestFirst: isOldestFirst(given.get("_sort")),
  };
}

/** Whether `_count=0` asks for the total alone. */
export function isTotalOnly(request: FhirRequest): boolean {
  return request.parameters.some(({ name, value }) => name === "_count" && value === "0");
}

/** The least that the core can be asked for is one, where nothing but the total is wanted. */
function countOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (text === "0") return 1;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw malformedParameter("_count");
  return Math.min(Number(text), MOST);
}

function isOldestFirst(sort: string | undefined): boolean {
  if (sort === undefined || sort === "-_lastUpdated") return false;
  if (sort === "_lastUpdated") return true;
  throw new MpiError("SORT_NOT_ALLOWED", { param: sort }, { expression: ["http._sort"] });
}

/** A date or time of any precision stands for its beginning; without an offset it is of Europe/Tallinn. */
function sinceOf(text: string): Timestamp {
  // An unescaped + of a URL has become a space.
  const instant = instantOf(text.replace(/ (?=\d{2}:\d{2}$)/, "+"));
  if (instant === undefined) throw malformedParameter("_since");
  return nearestTimestamp(instant.epochMilliseconds);
}

function instantOf(text: string): Temporal.Instant | undefined {
  // FHIR has no such year.
  if (text.startsWith("0000")) return undefined;
  try {
    if (WITH_OFFSET.test(text)) return Temporal.Instant.from(text);
    const local = DATE.test(text) ? `${text}${"-01-01".slice(text.length - 4)}` : text;
    if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?$/.test(local)) return undefined;
    return Temporal.PlainDateTime.from(local).toZonedDateTime(ZONE).toInstant();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
