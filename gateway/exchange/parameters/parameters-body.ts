import { type Fault, fault } from "../../../src/errors/index.ts";
import { fhirType, isJsonObject, type JsonObject, type JsonValue, treeOf, Walk } from "../../fhir/index.ts";

/** A parameter of a Parameters resource. */
export interface GivenParameter {
  readonly name: string;
  /** Where it stands, such as Parameters.parameter[0]. */
  readonly path: string;
  /** What stands beside its name: `value[x]`, `resource`. */
  readonly content: JsonObject;
}

export function isParameters(json: JsonValue | undefined): json is JsonObject {
  return isJsonObject(json) && json["resourceType"] === "Parameters";
}

/**
 * The parameters of a Parameters resource, in their order; what is wrong with its structure is added to the faults, and
 * then there are none.
 */
export function parametersIn(json: JsonValue, faults: Fault[]): GivenParameter[] {
  if (!isParameters(json)) {
    faults.push(fault("RESOURCE_TYPE_WRONG", { expected: "Parameters" }, { expression: ["Parameters"] }));
    return [];
  }
  const walk = new Walk("Parameters");
  treeOf(fhirType("Parameters"), json, walk);
  faults.push(...walk.faults);
  const { parameter = [] } = json;
  if (walk.faults.length > 0 || !Array.isArray(parameter)) return [];
  return parameter.flatMap((given, index) => parameterIn(given, `Parameters.parameter[${index}]`, faults));
}

function parameterIn(given: JsonValue, path: string, faults: Fault[]): GivenParameter[] {
  const { name, id: _, extension: __, ...content } = isJsonObject(given) ? given : {};
  if (typeof name === "string") return [{ name, path, content }];
  faults.push(missingElement(`${path}.name`));
  return [];
}

/** The value of a parameter, which must be in one of these elements and in no other; otherwise the fault is added. */
export function contentOf(
  { path, content }: GivenParameter,
  elements: readonly string[],
  faults: Fault[],
): { readonly path: string; readonly value: JsonValue } | undefined {
  const found = elements.find((element) => Object.hasOwn(content, element));
  for (const other of Object.keys(content)) {
    if (other !== found) faults.push(unknownElement(`${path}.${other}`));
  }
  if (found === undefined) faults.push(missingElement(withoutType(`${path}.${elements[0]}`)));
  return found === undefined ? undefined : { path: withoutType(`${path}.${found}`), value: content[found] };
}

/** The fault of a value of a type that a parameter does not take, or of something else beside it. */
export function unknownElement(element: string): Fault {
  return fault("ELEMENT_UNKNOWN", { element }, { expression: [withoutType(element)] });
}

/** In FHIRPath a choice has no type. */
function withoutType(element: string): string {
  return element.replace(/\.value[A-Z]\w*$/, ".value");
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

export function missingElement(element: string): Fault {
  return fault("ELEMENT_MISSING", { element }, { expression: [element] });
}
