import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { type Answer, jsonAnswer, present, versionHeaders } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { ifMatch } from "../../exchange/preconditions.ts";
import { resourceBody } from "../../exchange/resource-body.ts";
import { encodeResource } from "../../fhir/index.ts";
import { doneOutcome } from "../../outcome/operation-outcome.ts";

export async function createPatient(request: FhirRequest): Promise<Answer> {
  const given = resourceBody(request, PatientSchema);
  const { patients } = request.setting.core;
  const patient = present((await patients.createPatient({ patient: given }, request.call)).patient);
  const location = `${request.base}/Patient/${patient.id}/_history/${patient.meta?.versionId}`;
  return writtenAnswer(request, 201, patient, { location });
}

export async function updatePatient(request: FhirRequest): Promise<Answer> {
  const given = resourceBody(request, PatientSchema);
  given.etag = ifMatch(request.headers);
  const id = request.params["id"] ?? "";
  const { patients } = request.setting.core;
  const { patient } = await patients.updatePatient({ id, patient: given }, request.call);
  return writtenAnswer(request, 200, present(patient), {});
}

/** The answer to a write, with as much in it as Prefer asks for. */
function writtenAnswer(
  request: FhirRequest,
  status: number,
  patient: Patient,
  location: Readonly<Record<string, string>>,
): Answer {
  const headers = { ...versionHeaders(patient), ...location };
  switch (request.preferences.return) {
    case "minimal":
      return { status, headers };
    case "OperationOutcome":
      return jsonAnswer(request, status, doneOutcome(request.language), headers);
    case "representation":
      return jsonAnswer(request, status, encodeResource(PatientSchema, patient), headers);
  }
}
