import { HumanNameSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { collection } from "../bundle/collection.ts";
import { type Answer, jsonAnswer } from "../exchange/answer.ts";
import type { Core } from "../exchange/core.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { Interaction } from "../exchange/interaction.ts";
import type { Parameter } from "../exchange/query.ts";
import { encodeResource, type FhirJson } from "../fhir/index.ts";
import { operationOutcome } from "../outcome/operation-outcome.ts";
import { queriedOperation } from "./queried-operation.ts";

type SocialHistory = Core["socialHistory"];

/** An answer of the registers on one question. */
interface Observed {
  readonly observations: readonly Observation[];
  readonly issues: readonly Issue[];
}

/** Operations that ask registers, by GET and by POST (spec http-api.md, "Operations"). */
export const registerOperations: readonly Interaction[] = [
  ...queriedOperation("lookup", lookUp),
  ...queriedOperation("name", readName),
  ...observing("legal-status", (core) => core.listLegalStatuses),
  ...observing("legal-guardian", (core) => core.listLegalGuardians),
  ...observing("legal-relationship", (core) => core.listLegalRelationships),
  ...observing("power-of-attorney", (core) => core.listPowersOfAttorney),
  ...observing("education", (core) => core.listEducations),
  ...observing("disability", (core) => core.listPatientDisabilities),
  ...observing("incapacity-for-work", (core) => core.listWorkIncapacities),
  ...observing("occupation", (core) => core.listOccupations),
];

function observing(
  name: string,
  method: (
    core: SocialHistory,
  ) => (request: { parameters: Parameter[] }, call: FhirRequest["call"]) => Promise<Observed>,
): Interaction[] {
  return queriedOperation(name, async (request, parameters) => {
    const ask = method(request.gateway.core.socialHistory);
    const { observations, issues } = await ask({ parameters: [...parameters] }, request.call);
    const resources = observations.map((observation) => encodeResource(ObservationSchema, observation));
    return jsonAnswer(request, 200, collection(request.base, resources, issues));
  });
}

async function lookUp(request: FhirRequest, parameters: readonly Parameter[]): Promise<Answer> {
  const { lookup } = request.gateway.core;
  const { patients } = await lookup.lookupPatients({ parameters: [...parameters] }, request.call);
  const resources = patients.map((patient) => encodeResource(PatientSchema, patient));
  return jsonAnswer(request, 200, collection(request.base, resources, []));
}

async function readName(request: FhirRequest, parameters: readonly Parameter[]): Promise<Answer> {
  const { socialHistory } = request.gateway.core;
  const { name, issues } = await socialHistory.readPatientName({ parameters: [...parameters] }, request.call);
  const parameter: FhirJson[] = [
    ...(name ? [{ name: "name", valueHumanName: encodeResource(HumanNameSchema, name) }] : []),
    ...(issues.length > 0 ? [{ name: "warning", resource: operationOutcome(issues) }] : []),
  ];
  const meta = { profile: ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-name-parameters"] };
  return jsonAnswer(request, 200, { resourceType: "Parameters", meta, parameter });
}
