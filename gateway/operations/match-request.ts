import { create } from "@bufbuild/protobuf";
import {
  type MatchPatientsRequest,
  MatchPatientsRequestSchema,
} from "#proto/patientindex/v1/matching_service_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { type Fault, fault, refuseFor } from "../../src/errors/index.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import { malformedParameter } from "../exchange/query.ts";
import { jsonBody, resourceOf } from "../exchange/resource-body.ts";
import { type JsonValue, numberText } from "../fhir/index.ts";
import { ownParameters } from "../routes/admission.ts";

type JsonObject = Readonly<Record<string, JsonValue>>;

/** The parameters of $match beside the resource, by the element that their value stands in. */
const ELEMENTS: Readonly<Record<string, keyof typeof JSON_TYPES>> = {
  onlyCertainMatches: "valueBoolean",
  onlySingleMatch: "valueBoolean",
  count: "valueInteger",
};

const JSON_TYPES = { valueBoolean: "boolean", valueInteger: "number" } as const;

export const matchParameterNames: readonly string[] = Object.keys(ELEMENTS);

/**
 * What $match is asked: Parameters with everything in it, or the Patient itself with the other parameters in the query
 * (R5, Operations, 3.2.0.1). Refused with everything that is wrong with its structure.
 */
export function matchRequest(request: FhirRequest): MatchPatientsRequest {
  const inQuery = ownParameters(request).map(({ name, value }) => [name, value] as const);
  const inBody = new Map<string, string>();
  const body = jsonBody(request);
  const resource =
    isObject(body) && body["resourceType"] === "Parameters" ? readParameters(body, inBody) : body;
  const texts = new Map([...inQuery, ...inBody]);
  return create(MatchPatientsRequestSchema, {
    ...(resource !== undefined && { resource: resourceOf(PatientSchema, resource) }),
    onlyCertainMatches: readFlag("onlyCertainMatches", texts),
    onlySingleMatch: readFlag("onlySingleMatch", texts),
    count: readCount(texts),
  });
}

/** The resource of Parameters; the others are added to the texts. */
function readParameters({ parameter = [] }: JsonObject, texts: Map<string, string>): JsonValue | undefined {
  const faults: Fault[] = [];
  const resources: JsonValue[] = [];
  if (!Array.isArray(parameter)) faults.push(wrongType("Parameters.parameter", "array"));
  for (const [index, given] of (Array.isArray(parameter) ? parameter : []).entries()) {
    const path = `Parameters.parameter[${index}]`;
    if (!isObject(given)) faults.push(wrongType(path, "object"));
    else if (given["name"] === "resource" && given["resource"] !== undefined)
      resources.push(given["resource"]);
    else faults.push(...readValue(given, path, texts));
  }
  if (resources.length > 1) faults.push(repeated("resource", "Parameters.parameter.where(name='resource')"));
  refuseFor(faults);
  return resources[0];
}

function readValue({ name, ...given }: JsonObject, path: string, texts: Map<string, string>): Fault[] {
  const valueElement = typeof name === "string" && Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name] : undefined;
  if (typeof name !== "string" || valueElement === undefined) {
    const allowed = ["resource", ...matchParameterNames].join(", ");
    return [
      fault("VALUE_NOT_ALLOWED", { element: `${path}.name`, allowed }, { expression: [`${path}.name`] }),
    ];
  }
  if (texts.has(name)) return [repeated(name, path)];
  const value = given[valueElement];
  const element = `${path}.${valueElement}`;
  if (value === undefined) return [fault("ELEMENT_MISSING", { element }, { expression: [element] })];
  if (jsonTypeOf(value) !== JSON_TYPES[valueElement]) return [wrongType(element, JSON_TYPES[valueElement])];
  texts.set(name, numberText(value) ?? String(value));
  return [];
}

function jsonTypeOf(value: JsonValue): string {
  return numberText(value) === undefined ? typeof value : "number";
}

function readFlag(name: string, texts: ReadonlyMap<string, string>): boolean {
  const text = texts.get(name) ?? "false";
  if (text !== "true" && text !== "false") throw malformedParameter(name);
  return text === "true";
}

function readCount(texts: ReadonlyMap<string, string>): number {
  const text = texts.get("count");
  if (text === undefined) return 0;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw malformedParameter("count");
  return Number(text);
}

function repeated(name: string, path: string): Fault {
  const element = `Parameters.parameter.where(name='${name}')`;
  return fault("ELEMENT_REPEATED_TOO_OFTEN", { element, max: "1" }, { expression: [path] });
}

function wrongType(element: string, expected: string): Fault {
  return fault("ELEMENT_TYPE_WRONG", { element, expected }, { expression: [element] });
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
