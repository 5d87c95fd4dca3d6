import { type Fault, fault } from "../../../src/errors/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../fhir/index.ts";

/** A parameter of a Parameters resource. */
export interface GivenParameter {
  readonly name: string;
  /** Where it stands, such as Parameters.parameter[0]. */
  readonly path: string;
  /** What stands beside its name: `value[x]`, `resource`. */
  readonly content: JsonObject;
}

const ROOT_ELEMENTS: ReadonlySet<string> = new Set([
  "resourceType",
  "id",
  "meta",
  "implicitRules",
  "language",
  "parameter",
]);

export function isParameters(json: JsonValue | undefined): json is JsonObject {
  return isJsonObject(json) && json["resourceType"] === "Parameters";
}

/** The parameters of a Parameters resource, in their order; what is wrong with its structure is added to the faults. */
export function parametersIn(json: JsonValue, faults: Fault[]): GivenParameter[] {
  if (!isParameters(json)) {
    faults.push(fault("RESOURCE_TYPE_WRONG", { expected: "Parameters" }, { expression: ["Parameters"] }));
    return [];
  }
  for (const name of Object.keys(json)) {
    if (!ROOT_ELEMENTS.has(name)) faults.push(elementFault("ELEMENT_UNKNOWN", `Parameters.${name}`));
  }
  const { parameter = [] } = json;
  if (Array.isArray(parameter)) {
    return parameter.flatMap((given, index) => parameterIn(given, `Parameters.parameter[${index}]`, faults));
  }
  faults.push(typeFault("Parameters.parameter", "array"));
  return [];
}

function parameterIn(given: JsonValue, path: string, faults: Fault[]): GivenParameter[] {
  if (!isJsonObject(given)) {
    faults.push(typeFault(path, "object"));
    return [];
  }
  const { name, id: _, ...content } = given;
  if (typeof name === "string") return [{ name, path, content }];
  const element = `${path}.name`;
  faults.push(name === undefined ? elementFault("ELEMENT_MISSING", element) : typeFault(element, "string"));
  return [];
}

/** What stands in one of these elements, the only one of a parameter; else the faults have what is wrong. */
export function contentOf(
  { path, content }: GivenParameter,
  elements: readonly string[],
  faults: Fault[],
): { readonly element: string; readonly value: JsonValue } | undefined {
  const found = elements.find((element) => Object.hasOwn(content, element));
  for (const other of Object.keys(content)) {
    if (other !== found) faults.push(elementFault("ELEMENT_UNKNOWN", `${path}.${other}`));
  }
  if (found === undefined) faults.push(elementFault("ELEMENT_MISSING", `${path}.${elements[0]}`));
  return found === undefined ? undefined : { element: `${path}.${found}`, value: content[found] };
}

/** The fault of a parameter that an operation does not take. */
export function unknownParameter({ path }: GivenParameter, known: readonly string[]): Fault {
  const element = `${path}.name`;
  return fault("VALUE_NOT_ALLOWED", { element, allowed: known.join(", ") }, { expression: [element] });
}

/** The fault of a parameter that is there already and may be there once. */
export function repeatedParameter({ name, path }: GivenParameter): Fault {
  const element = `Parameters.parameter.where(name='${name}')`;
  return fault("ELEMENT_REPEATED_TOO_OFTEN", { element, max: "1" }, { expression: [path] });
}

export function elementFault(meaning: "ELEMENT_MISSING" | "ELEMENT_UNKNOWN", element: string): Fault {
  return fault(meaning, { element }, { expression: [element] });
}

export function typeFault(element: string, expected: string): Fault {
  return fault("ELEMENT_TYPE_WRONG", { element, expected }, { expression: [element] });
}
