import { create } from "@bufbuild/protobuf";
import {
  type MatchPatientsRequest,
  MatchPatientsRequestSchema,
} from "#proto/patientindex/v1/matching_service_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import { type ParameterRules, resourceParameters } from "../exchange/parameters/resource-parameters.ts";
import { malformedParameter } from "../exchange/query.ts";
import { jsonBody, resourceOf } from "../exchange/resource-body.ts";

/** The parameters of $match beside the resource. */
const PARAMETERS: ParameterRules = {
  onlyCertainMatches: { elements: ["valueBoolean"], jsonType: "boolean" },
  onlySingleMatch: { elements: ["valueBoolean"], jsonType: "boolean" },
  count: { elements: ["valueInteger"], jsonType: "number" },
};

export const matchParameterNames: readonly string[] = Object.keys(PARAMETERS);

/** What $match is asked. */
export function matchRequest(request: FhirRequest): MatchPatientsRequest {
  const { resource, texts } = resourceParameters(request, jsonBody(request), PARAMETERS);
  return create(MatchPatientsRequestSchema, {
    ...(resource !== undefined && { resource: resourceOf(PatientSchema, resource) }),
    onlyCertainMatches: readFlag("onlyCertainMatches", texts),
    onlySingleMatch: readFlag("onlySingleMatch", texts),
    count: readCount(texts),
  });
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
