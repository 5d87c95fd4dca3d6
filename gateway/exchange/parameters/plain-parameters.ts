import { type Fault, fault, refuseFor } from "../../../src/errors/index.ts";
import { mayBeToPatient } from "../../../src/references/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../fhir/index.ts";
import type { FhirRequest } from "../fhir-request.ts";
import { ownParameters, type Parameter } from "../query.ts";
import { jsonBody } from "../resource-body.ts";
import {
  contentOf,
  type GivenParameter,
  missingElement,
  parametersIn,
  unknownElement,
} from "./parameters-body.ts";

type KnownParameters = ReadonlyMap<string, { readonly type: string }>;

type Spell = (name: string, value: JsonObject, path: string) => Parameter | Fault;

/** Elements whose values a query spells as they are, beside valueBoolean for flags. */
const TEXTS: ReadonlySet<string> = new Set([
  "valueString",
  "valueCode",
  "valueUri",
  "valueUrl",
  "valueCanonical",
  "valueId",
  "valueDate",
]);

/** Values that say something of a system, spelled as system|part, and references. */
const COMPLEX: ReadonlyMap<string, Spell> = new Map<string, Spell>([
  ["valueReference", spellReference],
  ["valueIdentifier", spellIdentifier],
  ["valueContactPoint", (name, value, path) => spellPair(name, value, "value", path)],
  ["valueCoding", (name, value, path) => spellPair(name, value, "code", path)],
  ["valueCodeableConcept", spellConcept],
]);

/** Parameters spelled as in a query; and a function that gives, for an expression of a query parameter, the place where it really stands. */
export interface PlainParameters {
  readonly parameters: readonly Parameter[];
  readonly whereItStands: (expression: string) => string;
}

/** A parameter of the body, as it was given and as a query would spell it. */
interface Spelled {
  readonly given: GivenParameter;
  readonly parameter: Parameter;
}

/**
 * The parameters of an operation that takes them by GET in the query and by POST as Parameters, spelled as in a query:
 * an Identifier and a Coding as system|value, a Reference by its address or as `name.identifier`. `known` are those that the
 * operation takes, by name, with their types.
 */
export function plainParameters(
  request: FhirRequest,
  method: "GET" | "POST",
  known: KnownParameters,
): PlainParameters {
  const inQuery = ownParameters(request);
  if (method === "GET" || !request.hasBody) {
    return { parameters: inQuery, whereItStands: (expression) => expression };
  }
  const body = inBody(jsonBody(request), known);
  return {
    parameters: [...inQuery, ...body.map(({ parameter }) => parameter)],
    whereItStands: placesOf(inQuery, body, known),
  };
}

function placesOf(
  inQuery: readonly Parameter[],
  body: readonly Spelled[],
  known: KnownParameters,
): PlainParameters["whereItStands"] {
  const namesInQuery = new Set(inQuery.map(({ name }) => name));
  // The first of each name: the last one that is put under it.
  const byName = new Map(body.toReversed().map(({ parameter, given }) => [parameter.name, given]));
  return (expression) => {
    const name = /^http\.(.+)$/s.exec(expression)?.[1];
    if (name === undefined || namesInQuery.has(name)) return expression;
    return placeInBody(name, byName.get(name), known) ?? expression;
  };
}

/** Where a parameter stands in the body, or would; undefined for an expression that names no parameter. */
function placeInBody(
  name: string,
  given: GivenParameter | undefined,
  known: KnownParameters,
): string | undefined {
  const called = given?.name ?? name;
  if (known.has(called)) return `Parameters.parameter.where(name='${called}')`;
  return given && `${given.path}.name`;
}

function inBody(json: JsonValue, known: KnownParameters): Spelled[] {
  const faults: Fault[] = [];
  const read = parametersIn(json, faults).flatMap((given) => {
    const parameter = readOne(given, known, faults);
    if (parameter === undefined) return [];
    if ("name" in parameter) return [{ given, parameter }];
    faults.push(parameter);
    return [];
  });
  refuseFor(faults);
  return read;
}

function readOne(
  given: GivenParameter,
  known: KnownParameters,
  faults: Fault[],
): Parameter | Fault | undefined {
  const element = Object.keys(given.content).find((key) => key.startsWith("value")) ?? "value";
  const content = contentOf(given, [element], faults);
  const isFlag = (known.get(given.name)?.type ?? "boolean") === "boolean";
  if (content && element === "valueBoolean" && !isFlag) return unknownElement(`${given.path}.${element}`);
  return content && spell(given, element, content.value, content.path);
}

/** A parameter as a query would spell it, or what is wrong with its value. */
function spell(
  { name, path: at }: GivenParameter,
  element: string,
  value: JsonValue,
  path: string,
): Parameter | Fault {
  if (TEXTS.has(element) || element === "valueBoolean") return { name, value: String(value) };
  const spellComplex = COMPLEX.get(element);
  return spellComplex && isJsonObject(value)
    ? spellComplex(name, value, path)
    : unknownElement(`${at}.${element}`);
}

function spellReference(
  name: string,
  { reference, identifier, type }: JsonObject,
  path: string,
): Parameter | Fault {
  if (typeof type === "string" && !mayBeToPatient({ type })) {
    return fault("REFERENCE_INVALID", { element: path }, { expression: [path] });
  }
  if (reference === undefined && isJsonObject(identifier)) {
    return spellPair(`${name}.identifier`, escaped(identifier), "value", `${path}.identifier`);
  }
  return withText(reference, `${path}.reference`, (value) => ({ name, value }));
}

function spellIdentifier(name: string, identifier: JsonObject, path: string): Parameter | Fault {
  return spellPair(name === "patient" ? `${name}.identifier` : name, escaped(identifier), "value", path);
}

/** Escaped as in a query: characters that mean something in a search stand behind a backslash. */
function escaped(identifier: JsonObject): JsonObject {
  const texts = (["system", "value"] as const).flatMap((part) => {
    const text = identifier[part];
    return typeof text === "string" ? [[part, text.replace(/[\\,|$]/g, "\\$&")] as const] : [];
  });
  return { ...identifier, ...Object.fromEntries(texts) };
}

/** A concept with one coding: which of several an operation knows is not for the gateway to guess, and none may be passed over. */
function spellConcept(name: string, { coding }: JsonObject, path: string): Parameter | Fault {
  const [only, ...others] = Array.isArray(coding) ? coding : [];
  const element = `${path}.coding`;
  if (!isJsonObject(only)) return missingElement(element);
  if (others.length > 0) {
    return fault("ELEMENT_REPEATED_TOO_OFTEN", { element, max: "1" }, { expression: [element] });
  }
  return spellPair(name, only, "code", `${element}[0]`);
}

function spellPair(name: string, pair: JsonObject, part: "value" | "code", path: string): Parameter | Fault {
  const { system } = pair;
  return withText(pair[part], `${path}.${part}`, (text) => ({
    name,
    value: typeof system === "string" ? `${system}|${text}` : text,
  }));
}

function withText(
  text: JsonValue | undefined,
  path: string,
  parameterOf: (text: string) => Parameter,
): Parameter | Fault {
  return typeof text === "string" ? parameterOf(text) : missingElement(path);
}
