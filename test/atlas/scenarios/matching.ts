import { MatchingService } from "#proto/patientindex/v1/matching_service_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { calls, messageOf, type Parameter } from "../grpc-calls.ts";
import { FHIR_JSON } from "../requests.ts";
import type { Exchange, Json, Scenario } from "../scenario.ts";

const { method: matching } = MatchingService;

/** $match and $foreign. */
export const matchingScenarios: readonly Scenario[] = [
  {
    meaning: "PARAMETER_REQUIRED",
    code: "MPI-078",
    issueType: "required",
    expression: "Parameters.parameter.where(name='resource')",
    prepare: () => matches(undefined),
  },
  {
    meaning: "SEARCH_PARAMETERS_UNSUITABLE",
    code: "MPI-015",
    issueType: "invalid",
    expression: "Parameters.parameter.where(name='resource').resource",
    prepare: () => matches({ resourceType: "Patient", gender: "female" }),
  },
  {
    meaning: "PARAMETER_REQUIRED",
    code: "MPI-078",
    issueType: "required",
    expression: "http.identifier-country",
    prepare: () => findsForeign(["family", "Virtanen"]),
  },
  {
    meaning: "SEARCH_PARAMETERS_UNSUITABLE",
    code: "MPI-015",
    issueType: "invalid",
    expression: "http.identifier-country",
    prepare: () => findsForeign(["identifier-country", "XYZ"]),
  },
  {
    meaning: "BIRTHDATE_FORMAT_WRONG",
    code: "MPI-076",
    issueType: "value",
    expression: "http.birthdate",
    prepare: () => findsForeign(["identifier-country", "FIN"], ["birthdate", "1967"]),
  },
  {
    meaning: "PARAMETER_SINGLE_VALUED",
    code: "MPI-075",
    issueType: "value",
    expression: "http.gender",
    prepare: () => findsForeign(["identifier-country", "FIN"], ["gender", "male,female"]),
  },
];

function matches(resource: Json | undefined): Exchange {
  const parameter = resource ? [{ name: "resource", resource }] : [];
  return {
    http: {
      method: "POST",
      path: "/Patient/$match",
      headers: FHIR_JSON,
      body: { resourceType: "Parameters", parameter },
    },
    grpc: calls(matching.matchPatients, resource ? { resource: messageOf(PatientSchema, resource) } : {}),
  };
}

function findsForeign(...parameters: readonly Parameter[]): Exchange {
  const query = new URLSearchParams(parameters.map((pair) => [...pair]));
  return {
    http: { method: "GET", path: `/Patient/$foreign?${query}` },
    grpc: calls(matching.findForeignPatients, {
      parameters: parameters.map(([name, value]) => ({ name, value })),
    }),
  };
}
