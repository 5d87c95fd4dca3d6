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
  unknownParameter,
} from "./parameters-body.ts";

/** The parameters that an operation takes beside a resource, and the elements that each may stand in. */
export type ParameterRules = Readonly<Record<string, readonly string[]>>;

/** The value of a parameter as a query spells it, and what it is named by in an issue. */
export interface GivenText {
  readonly text: string;
  readonly expression: string;
}

/** What an operation on a resource was given. */
export interface ResourceParameters {
  readonly resource: JsonValue | undefined;
  /** The others, by their names. */
  readonly texts: ReadonlyMap<string, GivenText>;
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
  const texts = new Map(ownParameters(request).map(({ name, value }) => [name, inQuery(name, value)]));
  if (!isParameters(body)) return { resource: body, texts };
  const faults: Fault[] = [];
  const given = parametersIn(body, faults);
  const resources = given.filter(({ name }) => name === "resource");
  for (const one of resources.slice(1)) faults.push(repeatedParameter(one));
  const [resource] = resources.map((one) => contentOf(one, ["resource"], faults)?.value);
  for (const one of given) if (one.name !== "resource") addText(one, rules, texts, faults);
  refuseFor(faults);
  return { resource, texts };
}

function inQuery(name: string, text: string): GivenText {
  return { text, expression: `http.${name}` };
}

function addText(
  given: GivenParameter,
  rules: ParameterRules,
  texts: Map<string, GivenText>,
  faults: Fault[],
): void {
  const { name } = given;
  const elements = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (elements === undefined) faults.push(unknownParameter(given, ["resource", ...Object.keys(rules)]));
  else if (texts.has(name)) faults.push(repeatedParameter(given));
  else {
    const content = contentOf(given, elements, faults);
    if (content === undefined) return;
    const text = numberText(content.value) ?? String(content.value);
    texts.set(name, { text, expression: content.path });
  }
}
