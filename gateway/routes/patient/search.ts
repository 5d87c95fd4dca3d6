import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { SearchPatientsResponse } from "#proto/patientindex/v1/patient_service_pb.ts";
import { searchset } from "../../bundle/searchset.ts";
import { type Answer, jsonAnswer } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import type { Parameter } from "../../exchange/query.ts";
import { encodeResource } from "../../fhir/index.ts";
import { ownParameters } from "../admission.ts";

/** Search by GET, and by POST to _search; the core knows the parameters and their rules. */
export async function searchPatients(request: FhirRequest): Promise<Answer> {
  const parameters = ownParameters(request);
  const lenient = request.preferences.handling === "lenient";
  const { patients } = request.setting.core;
  const found = await patients.searchPatients({ parameters, lenient }, request.call);
  const bundle = searchset({
    url: `${request.base}/Patient`,
    parameters: usedParameters(parameters, found),
    total: Number(found.totalSize),
    page: found.page,
    pageSize: found.pageSize,
    hasMore: found.nextPageToken !== "",
    matches: found.patients.map((patient) => encodeResource(PatientSchema, patient)),
    issues: found.issues,
  });
  return jsonAnswer(request, 200, bundle);
}

/** A self link tells what was understood: parameters that were ignored are not in it (FHIR search, 3.2.1.3.2). */
function usedParameters(parameters: readonly Parameter[], { issues }: SearchPatientsResponse): Parameter[] {
  const ignored = new Set(issues.flatMap(({ expressions }) => expressions));
  return parameters.filter(({ name }) => !ignored.has(`http.${name}`));
}
