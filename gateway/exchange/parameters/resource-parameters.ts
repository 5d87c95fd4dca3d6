import { type Fault, refuseFor } from "../../../src/errors/index.ts";
import { type JsonValue, numberText } from "../../fhir/index.ts";
import type { FhirRequest } from "../fhir-request.ts";
import { ownParameters } from "../query.ts";
import {
  contentOf,
  type GivenParameter,
  isParameters,
  parametersIn,
  repeatedParameter,
  typeFault,
  unknownParameter,
} from "./parameters-body.ts";

/** The parameters that an operation takes beside a resource: the elements that each may stand in, and their JSON type. */
export type ParameterRules = Readonly<
  Record<string, { readonly elements: readonly string[]; readonly jsonType: "boolean" | "number" | "string" }>
>;

/** What an operation on a resource was given. */
export interface ResourceParameters {
  readonly resource: JsonValue | undefined;
  /** The values of the others by their names, as a query spells them. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * The parameters of an operation on a resource: Parameters with everything in it, or the resource itself with the others
 * in the query (R5, Operations, 3.2.0.1). Refused with everything that is wrong with its structure, and where the query
 * and the body give the same parameter (MPI-096).
 */
export function resourceParameters(
  request: FhirRequest,
  body: JsonValue | undefined,
  rules: ParameterRules,
): ResourceParameters {
  const texts = new Map(ownParameters(request).map(({ name, value }) => [name, value]));
  if (!isParameters(body)) return { resource: body, texts };
  const faults: Fault[] = [];
  const given = parametersIn(body, faults);
  const resources = given.filter(({ name }) => name === "resource");
  faults.push(...resources.slice(1).map(repeatedParameter));
  const [resource] = resources.map((one) => contentOf(one, ["resource"], faults)?.value);
  for (const one of given) if (one.name !== "resource") addText(one, rules, texts, faults);
  refuseFor(faults);
  return { resource, texts };
}

function addText(
  given: GivenParameter,
  rules: ParameterRules,
  texts: Map<string, string>,
  faults: Fault[],
): void {
  const { name } = given;
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) faults.push(unknownParameter(given, ["resource", ...Object.keys(rules)]));
  else if (texts.has(name)) faults.push(repeatedParameter(given));
  else {
    const content = contentOf(given, rule.elements, faults);
    if (content === undefined) return;
    const { element, value } = content;
    if (jsonTypeOf(value) !== rule.jsonType) faults.push(typeFault(element, rule.jsonType));
    texts.set(name, numberText(value) ?? String(value));
  }
}

function jsonTypeOf(value: JsonValue): string {
  return numberText(value) === undefined ? typeof value : "number";
}
