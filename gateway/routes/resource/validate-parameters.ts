import { type Fault, fault, MpiError, refuseFor } from "../../../src/errors/index.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { jsonBody } from "../../exchange/resource-body.ts";
import type { FhirJson, JsonValue } from "../../fhir/index.ts";

/** What `$validate` takes beside the resource, in the query or in Parameters. */
export const validateParameterNames = ["mode", "profile"] as const;

const modes = ["create", "update", "delete"] as const;

/** What is to be validated, and as what. */
export interface Validation {
  readonly mode: (typeof modes)[number];
  /** The profile to hold it to, instead of the one that it claims. */
  readonly profile: string | undefined;
  /** Undefined when what is stored is meant. */
  readonly resource: JsonValue | undefined;
}

type Given = ReadonlyMap<string, JsonValue>;

/** The parameters of `$validate` (R5 resource-operation-validate): a resource alone in the body is meant by itself. */
export function readValidation(request: FhirRequest): Validation {
  const inQuery = new Map<string, JsonValue>(request.parameters.map(({ name, value }) => [name, value]));
  const given: Given = request.hasBody
    ? new Map([...inQuery, ...bodyParameters(jsonBody(request))])
    : inQuery;
  const profile = given.get("profile");
  return {
    mode: modeOf(given.get("mode"), request.params["id"] !== undefined),
    profile: typeof profile === "string" ? profile : undefined,
    resource: given.get("resource"),
  };
}

/** What is not said otherwise is a creation of the type, or an update of the instance. */
function modeOf(given: JsonValue | undefined, ofInstance: boolean): Validation["mode"] {
  if (given === undefined) return ofInstance ? "update" : "create";
  const mode = modes.find((one) => one === given);
  if (mode !== undefined && (mode === "create") !== ofInstance) return mode;
  const allowed = ofInstance ? "update, delete" : "create";
  throw new MpiError("VALUE_NOT_ALLOWED", { element: "mode", allowed }, { expression: ["http.mode"] });
}

function bodyParameters(json: JsonValue): Given {
  if (!isObject(json) || json["resourceType"] !== "Parameters") return new Map([["resource", json]]);
  const parameter = json["parameter"] ?? [];
  const faults: Fault[] = [];
  const read = (Array.isArray(parameter) ? parameter : [parameter]).flatMap((one, index) => {
    const value = valueOfParameter(one);
    if (value === undefined) faults.push(unknownParameter(`Parameters.parameter[${index}]`));
    return value === undefined ? [] : [value];
  });
  refuseFor(faults);
  return new Map(read);
}

function valueOfParameter(given: JsonValue): [name: string, value: JsonValue] | undefined {
  if (!isObject(given)) return undefined;
  switch (given["name"]) {
    case "resource":
      return isObject(given["resource"]) ? ["resource", given["resource"]] : undefined;
    case "mode":
      return textIn("mode", given, ["valueCode", "valueString"]);
    case "profile":
      return textIn("profile", given, ["valueCanonical", "valueUri"]);
    default:
      return undefined;
  }
}

function textIn(name: string, given: FhirJson, elements: readonly string[]): [string, string] | undefined {
  const value = elements.map((element) => given[element]).find((one) => typeof one === "string");
  return typeof value === "string" ? [name, value] : undefined;
}

function unknownParameter(element: string): Fault {
  const allowed = ["resource", ...validateParameterNames].join(", ");
  return fault("VALUE_NOT_ALLOWED", { element, allowed }, { expression: [element] });
}

function isObject(json: JsonValue | undefined): json is FhirJson {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
