import { IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { MatchGrade, type PatientMatch } from "#proto/patientindex/v1/matching_service_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { refuseFor } from "../../src/errors/index.ts";
import { collection } from "../bundle/collection.ts";
import { scoredSearchset } from "../bundle/scored-searchset.ts";
import { type Answer, jsonAnswer, present } from "../exchange/answer.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { type Parameter, unsuitableParameter } from "../exchange/query.ts";
import { encodeResource } from "../fhir/index.ts";
import { matchParameterNames, matchRequest } from "./match-request.ts";
import { queriedOperation } from "./queried-operation.ts";

const GRADES: ReadonlyMap<MatchGrade, string> = new Map([
  [MatchGrade.CERTAIN, "certain"],
  [MatchGrade.PROBABLE, "probable"],
  [MatchGrade.POSSIBLE, "possible"],
  [MatchGrade.CERTAINLY_NOT, "certainly-not"],
]);

/** Operations that look for people by what is known of them; $match needs a body, so it is offered by POST alone. */
export const matchingOperations: readonly Interaction[] = [
  {
    code: "operation",
    operation: "match",
    resourceType: "Patient",
    method: "POST",
    path: "/Patient/$match",
    body: "resource",
    parameters: matchParameterNames,
    handle: match,
  },
  ...queriedOperation("foreign", findForeign),
  ...queriedOperation("mrn", newRecordNumber),
];

async function match(request: FhirRequest): Promise<Answer> {
  const { matching } = request.gateway.core;
  const { matches, issues } = await matching.matchPatients(matchRequest(request), request.call);
  return jsonAnswer(
    request,
    200,
    scoredSearchset(`${request.base}/Patient`, matches.map(scoredMatch), issues),
  );
}

function scoredMatch({ patient, score, grade }: PatientMatch) {
  return {
    resource: encodeResource(PatientSchema, present(patient)),
    score,
    grade: GRADES.get(grade) ?? "possible",
  };
}

async function findForeign(request: FhirRequest, parameters: readonly Parameter[]): Promise<Answer> {
  const { matching } = request.gateway.core;
  const { patients, issues } = await matching.findForeignPatients(
    { parameters: [...parameters] },
    request.call,
  );
  const resources = patients.map((patient) => encodeResource(PatientSchema, patient));
  return jsonAnswer(request, 200, collection(request.base, resources, issues));
}

async function newRecordNumber(request: FhirRequest, parameters: readonly Parameter[]): Promise<Answer> {
  refuseFor(parameters.map(({ name }) => unsuitableParameter(name)));
  const { identifier } = await request.gateway.core.matching.generateRecordNumber({}, request.call);
  const parameter = [
    { name: "return", valueIdentifier: encodeResource(IdentifierSchema, present(identifier)) },
  ];
  return jsonAnswer(request, 200, { resourceType: "Parameters", parameter });
}
