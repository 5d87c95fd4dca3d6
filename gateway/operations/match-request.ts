import { create } from "@bufbuild/protobuf";
import {
  type MatchPatientsRequest,
  MatchPatientsRequestSchema,
} from "#proto/patientindex/v1/matching_service_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { MpiError } from "../../src/errors/index.ts";
import { parseCount } from "../exchange/count.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import {
  type GivenText,
  type ParameterRules,
  resourceParameters,
} from "../exchange/parameters/resource-parameters.ts";
import { jsonBody, resourceOf } from "../exchange/resource-body.ts";

/** The parameters of $match beside the resource. */
const PARAMETERS: ParameterRules = {
  onlyCertainMatches: ["valueBoolean"],
  onlySingleMatch: ["valueBoolean"],
  count: ["valueInteger"],
};

type Texts = ReadonlyMap<string, GivenText>;

const NOT_GIVEN: GivenText = { text: "false", expression: "" };

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

function readFlag(name: string, texts: Texts): boolean {
  const { text, expression } = texts.get(name) ?? NOT_GIVEN;
  if (text !== "true" && text !== "false") throw malformed(name, expression);
  return text === "true";
}

function readCount(texts: Texts): number {
  const given = texts.get("count");
  if (given === undefined) return 0;
  const count = parseCount(given.text);
  if (!count) throw malformed("count", given.expression);
  return count;
}

function malformed(param: string, expression: string): MpiError {
  return new MpiError("PARAMETER_MALFORMED", { param }, { expression: [expression] });
}
