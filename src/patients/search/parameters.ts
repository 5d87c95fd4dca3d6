import type { SearchParameter } from "#proto/patientindex/v1/patient_service_pb.ts";
import { type Fault, fault } from "../../errors/index.ts";
import type { IdentifierToken } from "../../identifiers/index.ts";
import type { PatientCriteria, SearchPage } from "../ports.ts";
import { parseDateComparison, parseInstantComparison } from "./comparison.ts";
import { parseIdentifier } from "./identifier.ts";
import { parseSort } from "./sort.ts";
import { splitValues, unescaped } from "./values.ts";

export interface SearchLimits {
  /** Matches a search may have in all (MPI-027). */
  readonly maximum: number;
  /** Identifiers a `patient-identifier` lookup may name (MPI-095). */
  readonly batch: number;
}

export interface PatientSearch {
  readonly criteria: PatientCriteria;
  readonly page: SearchPage;
  /** Elements to answer with; all when empty. */
  readonly elements: readonly string[];
  /** Names of parameters that were ignored at the searcher's wish. */
  readonly ignored: readonly string[];
}

const DEFAULT_COUNT = 20;
const MAXIMUM_COUNT = 100;

/** How a parameter may be spelled, and what its values mean (spec http-api.md, "Search parameters of Patient"). */
interface Rule {
  /** Several comma-separated values. */
  readonly manyValues?: true;
  readonly repeatable?: true;
  /** Narrows the search; a search needs at least one that does. */
  readonly criterion?: true;
  readonly read: (values: readonly string[], draft: Draft, limits: SearchLimits) => Fault | undefined;
}

interface Draft {
  criteria: { -readonly [Key in keyof PatientCriteria]: PatientCriteria[Key] };
  /** Identifiers of all occurrences of `patient-identifier`: a patient needs to hold any of them. */
  batch: IdentifierToken[];
  page: { -readonly [Key in keyof SearchPage]: SearchPage[Key] };
  elements: string[];
}

const RULES: Readonly<Record<string, Rule>> = {
  _id: { manyValues: true, criterion: true, read: readIds },
  identifier: { criterion: true, read: readIdentifier },
  "patient-identifier": { manyValues: true, repeatable: true, criterion: true, read: readBatch },
  birthdate: { repeatable: true, criterion: true, read: readBirthDate },
  _lastUpdated: { repeatable: true, criterion: true, read: readLastUpdated },
  active: { criterion: true, read: ([value], draft) => readFlag("active", value, draft) },
  deceased: { criterion: true, read: ([value], draft) => readFlag("deceased", value, draft) },
  _sort: { manyValues: true, read: readSort },
  _count: { read: readCount },
  _page: { read: readPage },
  _elements: { manyValues: true, read: readElements },
};

/** Understands a search as a whole, or says everything that is wrong with it. */
export function parsePatientSearch(
  parameters: readonly SearchParameter[],
  limits: SearchLimits,
  lenient: boolean,
): PatientSearch | readonly Fault[] {
  const known = parameters.filter(({ name }) => Object.hasOwn(RULES, name));
  const unknown = parameters.filter(({ name }) => !Object.hasOwn(RULES, name)).map(({ name }) => name);
  const draft: Draft = {
    criteria: {},
    batch: [],
    page: { sort: [], page: 1, size: DEFAULT_COUNT, maximum: limits.maximum },
    elements: [],
  };
  const faults = [
    ...(lenient ? [] : unknown.map(unsuitable)),
    ...repeated(known),
    ...known.flatMap((parameter) => readParameter(parameter, draft, limits)),
  ];
  if (faults.length === 0 && !known.some(({ name }) => RULES[name]?.criterion)) {
    faults.push(fault("SEARCH_PARAMETERS_UNSUITABLE"));
  }
  if (faults.length > 0) return faults;
  return searchOf(draft, unknown);
}

function searchOf({ criteria, batch, page, elements }: Draft, ignored: readonly string[]): PatientSearch {
  if (batch.length > 0) criteria.identifiers = [...(criteria.identifiers ?? []), batch];
  if (page.sort.length === 0) page.sort = [{ key: "_lastUpdated", descending: true }];
  return { criteria, page, elements, ignored };
}

function repeated(parameters: readonly SearchParameter[]): Fault[] {
  const counts = new Map<string, number>();
  for (const { name } of parameters) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([name, count]) => count > 1 && !RULES[name]?.repeatable)
    .map(([param]) => fault("PARAMETER_REPEATED", { param }, { expression: [`http.${param}`] }));
}

function readParameter({ name, value }: SearchParameter, draft: Draft, limits: SearchLimits): Fault[] {
  const rule = RULES[name];
  if (!rule) return [];
  const values = splitValues(value);
  if (values.length > 1 && !rule.manyValues) {
    return [fault("PARAMETER_SINGLE_VALUED", { param: name }, { expression: [`http.${name}`] })];
  }
  if (values.some((one) => one.trim() === "")) return [unsuitable(name)];
  const found = rule.read(values, draft, limits);
  return found ? [found] : [];
}

function unsuitable(name: string): Fault {
  return fault("SEARCH_PARAMETERS_UNSUITABLE", {}, { expression: [`http.${name}`] });
}

function readIds(values: readonly string[], draft: Draft): undefined {
  const ids = values.filter((value) => /^[1-9]\d{0,17}$/.test(value)).map(BigInt);
  draft.criteria.ids = [...new Set(ids)];
}

function readIdentifier([value = ""]: readonly string[], draft: Draft): Fault | undefined {
  const token = parseIdentifier(value);
  if (!token) return unsuitable("identifier");
  draft.criteria.identifiers = [...(draft.criteria.identifiers ?? []), [token]];
  return undefined;
}

function readBatch(values: readonly string[], draft: Draft, limits: SearchLimits): Fault | undefined {
  const tokens = values.map(parseIdentifier);
  const found = tokens.filter((token) => token !== undefined);
  if (found.length < tokens.length) return unsuitable("patient-identifier");
  draft.batch.push(...found);
  if (draft.batch.length <= limits.batch) return undefined;
  const limit = String(limits.batch);
  return fault("PATIENT_IDENTIFIER_LIMIT_EXCEEDED", { limit }, { expression: ["http.patient-identifier"] });
}

function readBirthDate([value = ""]: readonly string[], draft: Draft): Fault | undefined {
  const comparison = parseDateComparison(value);
  if (!comparison) return fault("BIRTHDATE_FORMAT_WRONG", {}, { expression: ["http.birthdate"] });
  draft.criteria.birthDate = [...(draft.criteria.birthDate ?? []), comparison];
  return undefined;
}

function readLastUpdated([value = ""]: readonly string[], draft: Draft): Fault | undefined {
  const comparison = parseInstantComparison(value);
  if (!comparison) return unsuitable("_lastUpdated");
  draft.criteria.lastUpdated = [...(draft.criteria.lastUpdated ?? []), comparison];
  return undefined;
}

function readFlag(name: "active" | "deceased", value: string | undefined, draft: Draft): Fault | undefined {
  if (value !== "true" && value !== "false") return unsuitable(name);
  draft.criteria[name] = value === "true";
  return undefined;
}

function readSort(values: readonly string[], draft: Draft): Fault | undefined {
  const sort = parseSort(values);
  if (typeof sort === "string")
    return fault("SORT_NOT_ALLOWED", { param: sort }, { expression: ["http._sort"] });
  draft.page.sort = sort;
  return undefined;
}

function readCount([value = ""]: readonly string[], draft: Draft): Fault | undefined {
  if (!/^\d{1,9}$/.test(value)) return unsuitable("_count");
  draft.page.size = Math.min(Number(value), MAXIMUM_COUNT);
  return undefined;
}

function readPage([value = ""]: readonly string[], draft: Draft): Fault | undefined {
  if (!/^[1-9]\d{0,8}$/.test(value)) return unsuitable("_page");
  draft.page.page = Number(value);
  return undefined;
}

function readElements(values: readonly string[], draft: Draft): undefined {
  draft.elements = values.map(unescaped);
}
