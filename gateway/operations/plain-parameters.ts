import { type Fault, fault, refuseFor } from "../../src/errors/index.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { Parameter } from "../exchange/query.ts";
import { jsonBody } from "../exchange/resource-body.ts";
import { isJsonObject, type JsonValue } from "../fhir/index.ts";
import { ownParameters } from "../routes/admission.ts";

type JsonObject = Readonly<Record<string, JsonValue>>;

type Spell = (name: string, value: JsonObject, path: string) => Parameter | Fault;

/** Values of Parameters that a query would spell as they are, beside valueBoolean. */
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

/**
 * The parameters of an operation that takes them by GET in the query and by POST as Parameters, spelled as in a query:
 * an Identifier and a Coding as system|value, a Reference by its address or as `name.identifier`.
 */
export function operationParameters(request: FhirRequest, method: "GET" | "POST"): readonly Parameter[] {
  const inQuery = ownParameters(request);
  const hasBody = method === "POST" && request.hasBody;
  return hasBody ? [...inQuery, ...bodyParameters(jsonBody(request))] : inQuery;
}

function bodyParameters(json: JsonValue): Parameter[] {
  if (!isJsonObject(json) || json["resourceType"] !== "Parameters") {
    refuseFor([fault("RESOURCE_TYPE_WRONG", { expected: "Parameters" }, { expression: ["Parameters"] })]);
    return [];
  }
  const { parameter = [] } = json;
  if (!Array.isArray(parameter)) {
    refuseFor([typeFault("Parameters.parameter", "array")]);
    return [];
  }
  const read = parameter.map((given, index) => readOne(given, `Parameters.parameter[${index}]`));
  refuseFor(read.filter((one) => "meaning" in one));
  return read.filter((one) => "name" in one);
}

function readOne(given: JsonValue, path: string): Parameter | Fault {
  if (!isJsonObject(given)) return typeFault(path, "object");
  const { name } = given;
  const element = Object.keys(given).find((key) => key.startsWith("value"));
  if (typeof name !== "string" || element === undefined) {
    return missing(typeof name === "string" ? `${path}.value` : `${path}.name`);
  }
  return spell(name, element, given[element], `${path}.${element}`);
}

/** A parameter as a query would spell it, or what is wrong with its value. */
function spell(name: string, element: string, value: JsonValue, path: string): Parameter | Fault {
  if (TEXTS.has(element)) return withText(value, path, (text) => ({ name, value: text }));
  if (element === "valueBoolean") {
    return typeof value === "boolean" ? { name, value: String(value) } : typeFault(path, "boolean");
  }
  const spellComplex = COMPLEX.get(element);
  if (!spellComplex) return fault("ELEMENT_UNKNOWN", { element: path }, { expression: [path] });
  return isJsonObject(value) ? spellComplex(name, value, path) : typeFault(path, "object");
}

function spellReference(
  name: string,
  { reference, identifier }: JsonObject,
  path: string,
): Parameter | Fault {
  if (reference === undefined && isJsonObject(identifier)) {
    return spellPair(`${name}.identifier`, identifier, "value", `${path}.identifier`);
  }
  return withText(reference, `${path}.reference`, (value) => ({ name, value }));
}

function spellIdentifier(name: string, identifier: JsonObject, path: string): Parameter | Fault {
  return spellPair(name === "patient" ? `${name}.identifier` : name, identifier, "value", path);
}

function spellConcept(name: string, { coding }: JsonObject, path: string): Parameter | Fault {
  const [first] = Array.isArray(coding) ? coding : [];
  if (!isJsonObject(first)) return missing(`${path}.coding`);
  return spellPair(name, first, "code", `${path}.coding[0]`);
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
  if (text === undefined) return missing(path);
  return typeof text === "string" ? parameterOf(text) : typeFault(path, "string");
}

function missing(element: string): Fault {
  return fault("ELEMENT_MISSING", { element }, { expression: [element] });
}

function typeFault(element: string, expected: string): Fault {
  return fault("ELEMENT_TYPE_WRONG", { element, expected }, { expression: [element] });
}
