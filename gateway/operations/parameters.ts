import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type Fault, fault, refuseFor } from "../../src/errors/index.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import { jsonBody } from "../exchange/resource-body.ts";
import { decodeElement, type JsonValue } from "../fhir/index.ts";

/** A parameter that an operation takes, by its name. */
export interface ParameterRule {
  /** The data type of its value. */
  readonly schema: DescMessage;
  readonly repeatable?: true;
}

/** The values of the parameters of an operation, by name. */
export interface GivenParameters {
  /** The values of a parameter whose rule names this schema. */
  values<Desc extends DescMessage>(name: string, schema: Desc): MessageShape<Desc>[];
}

type JsonObject = Readonly<Record<string, JsonValue>>;

const ROOT_ELEMENTS: ReadonlySet<string> = new Set([
  "resourceType",
  "id",
  "meta",
  "implicitRules",
  "language",
  "parameter",
]);

/**
 * The Parameters resource in the body of a request, refused with everything that is wrong with its structure
 * (MPI-096). That a parameter is missing is for the core to say.
 */
export function parametersBody(
  request: FhirRequest,
  rules: Readonly<Record<string, ParameterRule>>,
): GivenParameters {
  const faults: Fault[] = [];
  const values = new Map<string, unknown[]>();
  for (const [index, given] of parametersOf(jsonBody(request), faults).entries()) {
    readParameter(given, `Parameters.parameter[${index}]`, rules, values, faults);
  }
  refuseFor(faults);
  return {
    values: <Desc extends DescMessage>(name: string, _schema: Desc) =>
      (values.get(name) ?? []) as MessageShape<Desc>[],
  };
}

function parametersOf(json: JsonValue, faults: Fault[]): readonly JsonValue[] {
  if (!isObject(json) || json["resourceType"] !== "Parameters") {
    faults.push(fault("RESOURCE_TYPE_WRONG", { expected: "Parameters" }, { expression: ["Parameters"] }));
    return [];
  }
  for (const name of Object.keys(json)) {
    if (!ROOT_ELEMENTS.has(name)) faults.push(elementFault("ELEMENT_UNKNOWN", `Parameters.${name}`));
  }
  const { parameter = [] } = json;
  if (Array.isArray(parameter)) return parameter;
  faults.push(typeFault("Parameters.parameter", "array"));
  return [];
}

function readParameter(
  given: JsonValue,
  path: string,
  rules: Readonly<Record<string, ParameterRule>>,
  values: Map<string, unknown[]>,
  faults: Fault[],
): void {
  if (!isObject(given)) {
    faults.push(typeFault(path, "object"));
    return;
  }
  const { name } = given;
  const rule = typeof name === "string" && Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (typeof name !== "string" || !rule) {
    faults.push(nameFault(name, path, Object.keys(rules)));
    return;
  }
  const before = values.get(name) ?? [];
  if (before.length > 0 && !rule.repeatable) {
    const element = `Parameters.parameter.where(name='${name}')`;
    faults.push(fault("ELEMENT_REPEATED_TOO_OFTEN", { element, max: "1" }, { expression: [path] }));
  }
  values.set(name, [...before, ...readValue(given, path, rule, faults)]);
}

function readValue(given: JsonObject, path: string, { schema }: ParameterRule, faults: Fault[]): unknown[] {
  const element = `value${schema.name}`;
  for (const other of Object.keys(given)) {
    if (other !== "name" && other !== "id" && other !== element) {
      faults.push(elementFault("ELEMENT_UNKNOWN", `${path}.${other}`));
    }
  }
  if (!Object.hasOwn(given, element)) {
    faults.push(elementFault("ELEMENT_MISSING", `${path}.${element}`));
    return [];
  }
  const { message, faults: found } = decodeElement(schema, given[element], `${path}.value`);
  faults.push(...found);
  return message === undefined ? [] : [message];
}

function nameFault(name: JsonValue | undefined, path: string, known: readonly string[]): Fault {
  const element = `${path}.name`;
  if (name === undefined) return elementFault("ELEMENT_MISSING", element);
  const allowed = known.join(", ");
  return fault("VALUE_NOT_ALLOWED", { element, allowed }, { expression: [element] });
}

function elementFault(meaning: "ELEMENT_MISSING" | "ELEMENT_UNKNOWN", element: string): Fault {
  return fault(meaning, { element }, { expression: [element] });
}

function typeFault(element: string, expected: string): Fault {
  return fault("ELEMENT_TYPE_WRONG", { element, expected }, { expression: [element] });
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
