import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Fault, fault } from "../../../src/errors/index.ts";
import { parameterSpan } from "../../../src/time/fhir-date.ts";
import { parseCount } from "../../exchange/count.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { givenValue, malformedValue, type Parameter } from "../../exchange/query.ts";

/** What both histories take. */
export const historyParameterNames = ["_count", "_since", "_sort", "_page"] as const;

/** Which part of a history is asked for. */
export interface HistoryPage {
  readonly pageSize: number;
  readonly pageToken: string;
  readonly since?: Timestamp;
  readonly oldestFirst: boolean;
}

/** The parameters of a history, once nothing is wrong with them. */
export function historyPage({ parameters }: FhirRequest): HistoryPage {
  const given = valuesOf(parameters);
  const since = sinceOf(given.get("_since"));
  return {
    pageSize: countOf(given.get("_count")) ?? 0,
    pageToken: given.get("_page") ?? "",
    ...(since && { since }),
    oldestFirst: isOldestFirst(given.get("_sort")) ?? false,
  };
}

/**
 * Everything that is wrong with the parameters of a history, but for a `_page` that the core did not give (MPI-037,
 * MPI-096): an empty one is the first page to the core.
 */
export function faultsOfHistory(parameters: readonly Parameter[]): readonly Fault[] {
  const given = valuesOf(parameters);
  const [since, sort] = [given.get("_since"), given.get("_sort")];
  return [
    ...(countOf(given.get("_count")) === undefined ? [malformedValue("_count")] : []),
    ...(since !== undefined && !sinceOf(since) ? [malformedValue("_since")] : []),
    ...(isOldestFirst(sort) === undefined ? [sortNotAllowed(sort)] : []),
    ...(given.get("_page") === "" ? [malformedValue("_page")] : []),
  ];
}

function valuesOf(parameters: readonly Parameter[]): ReadonlyMap<string, string> {
  return new Map(parameters.map(({ name, value }) => [name, value]));
}

/** Whether `_count=0` asks for the total alone. */
export function isTotalOnly(request: FhirRequest): boolean {
  return parseCount(givenValue(request.parameters, "_count") ?? "") === 0;
}

/** The least that the core can be asked for is one, where nothing but the total is wanted. */
function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return 0;
  const count = parseCount(text);
  return count === 0 ? 1 : count;
}

function isOldestFirst(sort: string | undefined): boolean | undefined {
  if (sort === undefined || sort === "-_lastUpdated") return false;
  return sort === "_lastUpdated" ? true : undefined;
}

function sortNotAllowed(param = ""): Fault {
  return fault("SORT_NOT_ALLOWED", { param }, { expression: ["http._sort"] });
}

/** A date or time of any precision stands for its beginning. */
function sinceOf(text: string | undefined): Timestamp | undefined {
  const span = text === undefined ? undefined : parameterSpan(text);
  return span && timestampFromDate(span.from);
}
