import { type Fault, fault, refuseFor } from "../../src/errors/index.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { Parameter } from "../exchange/query.ts";
import { jsonBody } from "../exchange/resource-body.ts";
import type { JsonValue } from "../fhir/index.ts";
import { ownParameters } from "../routes/admission.ts";

type JsonObject = Readonly<Record<string, JsonValue>>;

/** Values of Parameters that a query would spell as they are. */
const PLAIN = [
  "valueString",
  "valueCode",
  "valueUri",
  "valueUrl",
  "valueCanonical",
  "valueId",
  "valueBoolean",
  "valueDate",
];

/** Values of a system and something of it, spelled as system|part. */
const PAIRS: Readonly<Record<string, "value" | "code">> = { valueContactPoint: "value", valueCoding: "code" };

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
  if (!isObject(json) || json["resourceType"] !== "Parameters") {
    refuseFor([fault("RESOURCE_TYPE_WRONG", { expected: "Parameters" }, { expression: ["Parameters"] })]);
    return [];
  }
  const { parameter = [] } = json;
  if (!Array.isArray(parameter)) {
    refuseFor([typeFault("Parameters.parameter", "array")]);
    return [];
  }
  const faults: Fault[] = [];
  const read = parameter.flatMap((given, index) => readOne(given, `Parameters.parameter[${index}]`, faults));
  refuseFor(faults);
  return read;
}

function readOne(given: JsonValue, path: string, faults: Fault[]): Parameter[] {
  if (!isObject(given)) {
    faults.push(typeFault(path, "object"));
    return [];
  }
  const { name } = given;
  const element = Object.keys(given).find((key) => key.startsWith("value"));
  if (typeof name !== "string" || element === undefined) {
    faults.push(missing(typeof name === "string" ? `${path}.value` : `${path}.name`));
    return [];
  }
  const value = given[element];
  const spelled = value === undefined ? undefined : spell(name, element, value);
  if (!spelled) faults.push(typeFault(`${path}.${element}`, element.slice("value".length)));
  return spelled ? [spelled] : [];
}

function spell(name: string, element: string, value: JsonValue): Parameter | undefined {
  if (PLAIN.includes(element)) {
    return typeof value === "string" || typeof value === "boolean"
      ? { name, value: String(value) }
      : undefined;
  }
  if (!isObject(value)) return undefined;
  if (element === "valueReference") return spellReference(name, value);
  if (element === "valueIdentifier")
    return spellPair(name === "patient" ? `${name}.identifier` : name, value, "value");
  const part = PAIRS[element];
  if (part !== undefined) return spellPair(name, value, part);
  if (element === "valueCodeableConcept") {
    const [coding] = Array.isArray(value["coding"]) ? value["coding"] : [];
    return isObject(coding) ? spellPair(name, coding, "code") : undefined;
  }
  return undefined;
}

function spellReference(name: string, { reference, identifier }: JsonObject): Parameter | undefined {
  if (typeof reference === "string") return { name, value: reference };
  return isObject(identifier) ? spellPair(`${name}.identifier`, identifier, "value") : undefined;
}

function spellPair(name: string, pair: JsonObject, part: "value" | "code"): Parameter | undefined {
  const { system, [part]: value } = pair;
  if (typeof value !== "string") return undefined;
  return { name, value: typeof system === "string" ? `${system}|${value}` : value };
}

function missing(element: string): Fault {
  return fault("ELEMENT_MISSING", { element }, { expression: [element] });
}

function typeFault(element: string, expected: string): Fault {
  return fault("ELEMENT_TYPE_WRONG", { element, expected }, { expression: [element] });
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
