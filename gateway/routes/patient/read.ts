import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { type Answer, present, storedAnswer } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";

export async function readPatient(request: FhirRequest): Promise<Answer> {
  const id = request.params["id"] ?? "";
  const { patients } = request.setting.core;
  const { patient } = await patients.readPatient({ id, elements: elementsOf(request) }, request.call);
  return storedAnswer(request, PatientSchema, present(patient));
}

export async function readPatientVersion(request: FhirRequest): Promise<Answer> {
  const { id = "", version = "" } = request.params;
  const { patients } = request.setting.core;
  const { patient } = await patients.readPatientVersion({ id, versionId: version }, request.call);
  return storedAnswer(request, PatientSchema, present(patient));
}

function elementsOf(request: FhirRequest): string[] {
  const value = request.parameters.find(({ name }) => name === "_elements")?.value ?? "";
  return value === "" ? [] : value.split(",").map((element) => element.trim());
}
