import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { atParameter, type Fault, fault } from "../errors/index.ts";
import { splitValues } from "./values.ts";

/** How a parameter may be spelled, and what its values mean for the search that is being understood. */
export interface ParameterRule<Draft> {
  /** Several comma-separated values; else a second one is MPI-075. */
  readonly manyValues?: true;
  /** May be given more than once; else MPI-080. */
  readonly repeatable?: true;
  /** It says itself how many values it may have. */
  readonly ownLimit?: true;
  /** Narrows the search; a search needs at least one that does (MPI-015). */
  readonly criterion?: true;
  /** Notes in the draft what the values, none of them empty, mean, or says what is wrong with them. */
  readonly read: (values: readonly string[], draft: Draft) => Fault | undefined;
}

/** Rules by the name of the parameter. */
export type ParameterRules<Draft> = Readonly<Record<string, ParameterRule<Draft>>>;

export interface ReadParameters {
  /** Everything that is wrong with the parameters. */
  readonly faults: readonly Fault[];
  /** Names of those that no rule knows. */
  readonly ignored: readonly string[];
}

/** Understands the parameters of a search into `draft`; unknown ones are a fault (MPI-015) unless `lenient`. */
export function readParameters<Draft>(
  rules: ParameterRules<Draft>,
  parameters: readonly SearchParameter[],
  draft: Draft,
  lenient: boolean,
): ReadParameters {
  const excess = excessOf(rules, parameters);
  if (excess) return { faults: [excess], ignored: [] };
  const known = parameters.filter(({ name }) => Object.hasOwn(rules, name));
  const ignored = parameters.filter(({ name }) => !Object.hasOwn(rules, name)).map(({ name }) => name);
  const faults = [
    ...(lenient ? [] : ignored.map(unsuitable)),
    ...repeated(rules, known),
    ...known.flatMap((parameter) => readParameter(rules, parameter, draft)),
  ];
  if (faults.length === 0 && !known.some(({ name }) => rules[name]?.criterion)) {
    faults.push(fault("SEARCH_PARAMETERS_UNSUITABLE"));
  }
  return { faults, ignored };
}

/** Each that is repeated is a condition of the statement. */
const MOST_PARAMETERS = 1000;
/** Over HTTP no more have room: the parameters of a search may have 12,000 characters. */
const MOST_VALUES = 6000;

/** The parameter that is too much, where there are more of them or of their values than one search can ask for. */
function excessOf<Draft>(
  rules: ParameterRules<Draft>,
  parameters: readonly SearchParameter[],
): Fault | undefined {
  const counted = parameters.filter(({ name }) => !(Object.hasOwn(rules, name) && rules[name]?.ownLimit));
  const next = counted[MOST_PARAMETERS];
  if (next) return unsuitable(next.name);
  let left = MOST_VALUES;
  const tooMany = counted.find(({ value }) => {
    left -= valuesAtMost(value);
    return left < 0;
  });
  return tooMany && unsuitable(tooMany.name);
}

/** By its commas, some of which may be part of a value. */
function valuesAtMost(text: string): number {
  let count = 1;
  for (let comma = text.indexOf(","); comma >= 0; comma = text.indexOf(",", comma + 1)) count++;
  return count;
}

/** A parameter that a search does not know, or with a value that it cannot have (MPI-015). */
export function unsuitable(name: string): Fault {
  return fault("SEARCH_PARAMETERS_UNSUITABLE", {}, atParameter(name));
}

/** What a searcher who was lenient is told of the parameters that were passed over. */
export function ignoredNotes(ignored: readonly string[]): Fault[] {
  return ignored.map((name) => ({ ...unsuitable(name), severity: "warning" }));
}

function repeated<Draft>(rules: ParameterRules<Draft>, parameters: readonly SearchParameter[]): Fault[] {
  const counts = new Map<string, number>();
  for (const { name } of parameters) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([name, count]) => count > 1 && !rules[name]?.repeatable)
    .map(([param]) => fault("PARAMETER_REPEATED", { param }, atParameter(param)));
}

function readParameter<Draft>(
  rules: ParameterRules<Draft>,
  { name, value }: SearchParameter,
  draft: Draft,
): Fault[] {
  const rule = rules[name];
  if (!rule) return [];
  const values = splitValues(value);
  if (values.length > 1 && !rule.manyValues) {
    return [fault("PARAMETER_SINGLE_VALUED", { param: name }, atParameter(name))];
  }
  if (values.some((one) => one.trim() === "")) return [unsuitable(name)];
  const found = rule.read(values, draft);
  return found ? [found] : [];
}
