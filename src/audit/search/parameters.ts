import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { patientRules, type WantedPatient } from "../../dependents/index.ts";
import type { Fault } from "../../errors/index.ts";
import {
  type Comparison,
  countOf,
  type ParameterRules,
  parseInstantComparison,
  readParameters,
  unsuitable,
} from "../../search/index.ts";
import { type InstantSpan, nearestInstant } from "../../time/fhir-date.ts";
import type { RecordedSpan } from "../ports.ts";
import { type PlaceInList, parsePlace } from "./place.ts";

export interface TrailSearch {
  /** At least one; what is found is of all of them. */
  readonly patients: readonly WantedPatient[];
  readonly spans: readonly RecordedSpan[];
  readonly size: number;
  readonly after: PlaceInList | undefined;
  /** Names of parameters that were ignored at the searcher's wish. */
  readonly ignored: readonly string[];
}

interface Draft {
  readonly patients: WantedPatient[];
  readonly spans: RecordedSpan[];
  size: number;
  after: PlaceInList | undefined;
}

const DEFAULT_COUNT = 20;

const RULES: ParameterRules<Draft> = {
  ...patientRules<Draft>(["patient"]),
  date: { repeatable: true, read: readDate },
  _count: { read: readCount },
  _page: { read: readPage },
};

/** Understands a search of the trail as a whole, or says everything that is wrong with it. */
export function parseTrailSearch(
  parameters: readonly SearchParameter[],
  lenient: boolean,
): TrailSearch | readonly Fault[] {
  const draft: Draft = { patients: [], spans: [], size: DEFAULT_COUNT, after: undefined };
  const { faults, ignored } = readParameters(RULES, parameters, draft, lenient);
  return faults.length > 0 ? faults : { ...draft, ignored };
}

function readDate([value = ""]: readonly string[], draft: Draft): Fault | undefined {
  const comparison = parseInstantComparison(value);
  if (!comparison) return unsuitable("date");
  draft.spans.push(spanOf(comparison));
  return undefined;
}

const MILLISECOND = 1;

/** FHIR's comparison of an instant with a span (R5 search, 3.2.1.5.6). */
function spanOf({ prefix, span: { from, to } }: Comparison<InstantSpan>): RecordedSpan {
  switch (prefix) {
    case "eq":
      return { from, to };
    case "ne":
      return { from, to, outside: true };
    case "gt":
    case "sa":
      return { from: nearestInstant(to.getTime() + MILLISECOND) };
    case "ge":
      return { from };
    case "lt":
    case "eb":
      return { to: nearestInstant(from.getTime() - MILLISECOND) };
    case "le":
      return { to };
  }
}

function readCount([value = ""]: readonly string[], draft: Draft): Fault | undefined {
  const count = countOf(value);
  if (count === undefined) return unsuitable("_count");
  draft.size = count;
  return undefined;
}

function readPage([value = ""]: readonly string[], draft: Draft): Fault | undefined {
  const place = parsePlace(value);
  if (!place) return unsuitable("_page");
  draft.after = place;
  return undefined;
}
