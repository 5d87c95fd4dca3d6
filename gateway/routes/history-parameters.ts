import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { MpiError } from "../../src/errors/index.ts";
import { parameterSpan } from "../../src/time/fhir-date.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import { malformedParameter } from "../exchange/query.ts";

/** What both histories take. */
export const historyParameterNames = ["_count", "_since", "_sort", "_page"] as const;

/** Which part of a history is asked for. */
export interface HistoryPage {
  readonly pageSize: number;
  readonly pageToken: string;
  readonly since?: Timestamp;
  readonly oldestFirst: boolean;
}

const MOST = 1_000_000;

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
  if (!/^[1-9]\d*$/.test(text)) throw malformedParameter("_count");
  return Math.min(Number(text), MOST);
}

function isOldestFirst(sort: string | undefined): boolean {
  if (sort === undefined || sort === "-_lastUpdated") return false;
  if (sort === "_lastUpdated") return true;
  throw new MpiError("SORT_NOT_ALLOWED", { param: sort }, { expression: ["http._sort"] });
}

/** A date or time of any precision stands for its beginning. */
function sinceOf(text: string): Timestamp {
  const span = parameterSpan(text);
  if (!span) throw malformedParameter("_since");
  return timestampFromDate(span.from);
}
