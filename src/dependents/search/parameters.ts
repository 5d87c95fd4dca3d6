import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import type { Fault } from "../../errors/index.ts";
import type { IdentifierToken } from "../../identifiers/index.ts";
import { type ReferenceParameter, referredTo } from "../../references/index.ts";
import {
  defaultResult,
  type ParameterRule,
  type ParameterRules,
  type ResultDraft,
  readIdentifier,
  readParameters,
  resultOfCondition,
  resultRules,
  unescaped,
  unsuitable,
} from "../../search/index.ts";
import type { ContentParameter, DependentKind } from "../dependent-index.ts";
import type { Dependent } from "../ports.ts";

/** A patient as a parameter names it. */
export type WantedPatient = { readonly param: string } & (
  | { readonly id: string }
  | { readonly identifier: IdentifierToken }
);

export interface DependentSearch<Resource> {
  /** At least one; what is found lies with each of them. */
  readonly patients: readonly WantedPatient[];
  /** What the resources must fulfil, all of it. */
  readonly conditions: readonly ((resource: Resource) => boolean)[];
  readonly result: ResultDraft<"_lastUpdated">;
  /** Names of parameters that were ignored at the searcher's wish. */
  readonly ignored: readonly string[];
}

interface Draft<Resource> {
  readonly patients: WantedPatient[];
  readonly conditions: ((resource: Resource) => boolean)[];
  readonly result: ResultDraft<"_lastUpdated">;
}

/** Understands a search as a whole, or says everything that is wrong with it. */
export function parseDependentSearch<Resource extends Dependent>(
  kind: DependentKind<Resource>,
  parameters: readonly SearchParameter[],
  lenient: boolean,
): DependentSearch<Resource> | readonly Fault[] {
  const rules = { ...criteriaRulesOf(kind), ...resultRules(kind.schema, ["_lastUpdated"]) };
  return parse(rules, defaultResult(), parameters, lenient);
}

/** Understands a condition: a search that says nothing of its result. */
export function parseDependentCondition<Resource extends Dependent>(
  kind: DependentKind<Resource>,
  parameters: readonly SearchParameter[],
): DependentSearch<Resource> | readonly Fault[] {
  return parse(criteriaRulesOf(kind), resultOfCondition(), parameters, false);
}

function parse<Resource>(
  rules: ParameterRules<Draft<Resource>>,
  result: Draft<Resource>["result"],
  parameters: readonly SearchParameter[],
  lenient: boolean,
): DependentSearch<Resource> | readonly Fault[] {
  const draft: Draft<Resource> = { patients: [], conditions: [], result };
  const { faults, ignored } = readParameters(rules, parameters, draft, lenient);
  return faults.length > 0 ? faults : { ...draft, ignored };
}

function criteriaRulesOf<Resource extends Dependent>(
  kind: DependentKind<Resource>,
): ParameterRules<Draft<Resource>> {
  const contents = Object.entries(kind.searchParameters).map(
    ([name, parameter]) => [name, contentRule(name, parameter)] as const,
  );
  return {
    ...patientRules<Draft<Resource>>(kind.patientParameters),
    ...Object.fromEntries(contents),
  };
}

/** The rules of parameters that name a patient, by reference and by identifier. */
export function patientRules<Of extends { readonly patients: WantedPatient[] }>(
  names: readonly ReferenceParameter[],
): ParameterRules<Of> {
  const rules = names.flatMap((name) => [
    [name, patientRule<Of>(name)] as const,
    // The chained form, and FHIR's modifier for the same.
    ...[`${name}.identifier`, `${name}:identifier`].map(
      (param) => [param, identifierRule<Of>(param)] as const,
    ),
  ]);
  return Object.fromEntries(rules);
}

function patientRule<Of extends { readonly patients: WantedPatient[] }>(param: string): ParameterRule<Of> {
  return {
    criterion: true,
    read: ([value = ""], { patients }) => {
      const id = idOf(unescaped(value));
      if (id === undefined) return unsuitable(param);
      patients.push({ param, id });
      return undefined;
    },
  };
}

/** The id in `Patient/7` or `7`; any other address stands for itself, and is the id of nobody. Undefined for a reference to another type. */
function idOf(value: string): string | undefined {
  if (/^[A-Za-z0-9.-]{1,64}$/.test(value)) return value;
  const target = referredTo({ reference: value });
  if (target) return target.type === "Patient" ? target.id : undefined;
  return value.includes("/") ? value : undefined;
}

function identifierRule<Of extends { readonly patients: WantedPatient[] }>(param: string): ParameterRule<Of> {
  return {
    criterion: true,
    read: ([value = ""], { patients }) => {
      const identifier = readIdentifier(param, value);
      if ("meaning" in identifier) return identifier;
      patients.push({ param, identifier });
      return undefined;
    },
  };
}

function contentRule<Resource>(
  name: string,
  { manyValues, parse }: ContentParameter<Resource>,
): ParameterRule<Draft<Resource>> {
  return {
    ...(manyValues && { manyValues }),
    read: (values, { conditions }) => {
      const condition = parse(values);
      if (!condition) return unsuitable(name);
      conditions.push(condition);
      return undefined;
    },
  };
}
