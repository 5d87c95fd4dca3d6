import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { type Fault, fault } from "../../errors/index.ts";
import { type IdentifierToken, isPersonalCodeToken } from "../../identifiers/index.ts";
import { type ElementPaths, patientNumber } from "../../resources/index.ts";
import {
  defaultResult,
  type ParameterRules,
  parseDateComparison,
  parseFlag,
  parseInstantComparison,
  type ResultDraft,
  readIdentifier,
  readParameters,
  resultOfCondition,
  resultRules,
  unsuitable,
} from "../../search/index.ts";
import type { PatientCriteria, SearchPage, SortKey } from "../ports.ts";

export interface SearchLimits {
  /** Matches a search may have in all (MPI-027). */
  readonly maximum: number;
  /** Identifiers a `patient-identifier` lookup may name (MPI-095). */
  readonly batch: number;
  /** URI of the population register, the one value of external-system-presence. */
  readonly registerSystem: string;
}

export interface PatientSearch {
  readonly criteria: PatientCriteria;
  readonly page: SearchPage;
  /** Elements to answer with; all when empty. */
  readonly elements: ElementPaths;
  /** Names of parameters that were ignored at the searcher's wish. */
  readonly ignored: readonly string[];
  /** The Estonian personal code that is searched for by `identifier`. */
  readonly personalCode: string | undefined;
}

interface Draft {
  readonly criteria: { -readonly [Key in keyof PatientCriteria]: PatientCriteria[Key] };
  /** Identifiers of all occurrences of `patient-identifier`: a patient needs to hold any of them. */
  readonly batch: IdentifierToken[];
  readonly result: ResultDraft<SortKey>;
  readonly limits: SearchLimits;
  personalCode: string | undefined;
}

const SORT_KEYS: readonly SortKey[] = ["_lastUpdated", "birthdate", "death-date"];

/** Spec http-api.md, "Search parameters of Patient". */
const CRITERIA_RULES: ParameterRules<Draft> = {
  _id: { manyValues: true, criterion: true, read: readIds },
  identifier: { criterion: true, read: readOneIdentifier },
  "patient-identifier": {
    manyValues: true,
    repeatable: true,
    ownLimit: true,
    criterion: true,
    read: readBatch,
  },
  birthdate: { repeatable: true, criterion: true, read: readBirthDate },
  _lastUpdated: { repeatable: true, criterion: true, read: readLastUpdated },
  active: { criterion: true, read: ([value], draft) => readFlag("active", value, draft) },
  // Not a criterion: it is not allowed alone.
  "external-system-presence": { read: readPresence },
  deceased: { criterion: true, read: ([value], draft) => readFlag("deceased", value, draft) },
};

const SEARCH_RULES: ParameterRules<Draft> = { ...CRITERIA_RULES, ...resultRules(PatientSchema, SORT_KEYS) };

/** Understands a search as a whole, or says everything that is wrong with it. */
export function parsePatientSearch(
  parameters: readonly SearchParameter[],
  limits: SearchLimits,
  lenient: boolean,
): PatientSearch | readonly Fault[] {
  return parse(SEARCH_RULES, defaultResult(), parameters, limits, lenient);
}

/** Understands a condition: a search that says nothing of its result. */
export function parsePatientCondition(
  parameters: readonly SearchParameter[],
  limits: SearchLimits,
): PatientSearch | readonly Fault[] {
  return parse(CRITERIA_RULES, resultOfCondition(), parameters, limits, false);
}

function parse(
  rules: ParameterRules<Draft>,
  result: ResultDraft<SortKey>,
  parameters: readonly SearchParameter[],
  limits: SearchLimits,
  lenient: boolean,
): PatientSearch | readonly Fault[] {
  const draft: Draft = { criteria: {}, batch: [], result, limits, personalCode: undefined };
  const { faults, ignored } = readParameters(rules, parameters, draft, lenient);
  return faults.length > 0 ? faults : searchOf(draft, ignored);
}

function searchOf(
  { criteria, batch, result, limits, personalCode }: Draft,
  ignored: readonly string[],
): PatientSearch {
  const { elements, ...page } = result;
  const identifiers = [...(criteria.identifiers ?? []), ...(batch.length > 0 ? [batch] : [])];
  return {
    criteria: { ...criteria, ...(identifiers.length > 0 && { identifiers }) },
    page: { ...page, maximum: limits.maximum, mayEndEarly: true },
    elements,
    ignored,
    personalCode,
  };
}

function readIds(values: readonly string[], draft: Draft): undefined {
  draft.criteria.ids = [...new Set(values.flatMap((value) => patientNumber(value) ?? []))];
}

function readOneIdentifier([value = ""]: readonly string[], draft: Draft): Fault | undefined {
  const token = readIdentifier("identifier", value);
  if ("meaning" in token) return token;
  draft.criteria.identifiers = [...(draft.criteria.identifiers ?? []), [token]];
  if (isPersonalCodeToken(token)) draft.personalCode = token.value;
  return undefined;
}

function readPresence([value = ""]: readonly string[], draft: Draft): Fault | undefined {
  if (value !== draft.limits.registerSystem) return unsuitable("external-system-presence");
  draft.criteria.inRegister = true;
  return undefined;
}

function readBatch(values: readonly string[], draft: Draft): Fault | undefined {
  for (const value of values) {
    const token = readIdentifier("patient-identifier", value);
    if ("meaning" in token) return token;
    draft.batch.push(token);
  }
  if (draft.batch.length <= draft.limits.batch) return undefined;
  const limit = String(draft.limits.batch);
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

function readFlag(name: "active" | "deceased", value = "", draft: Draft): Fault | undefined {
  const flag = parseFlag(value);
  if (flag === undefined) return unsuitable(name);
  draft.criteria[name] = flag;
  return undefined;
}
