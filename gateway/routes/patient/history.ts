import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { PatientChange } from "#proto/patientindex/v1/patient_service_pb.ts";
import { type HistoryEntry, historyBundle } from "../../bundle/history.ts";
import type { Link } from "../../bundle/links.ts";
import { type Answer, jsonAnswer, present } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { writeParameters } from "../../exchange/query.ts";
import { encodeResource, tallinnInstant } from "../../fhir/index.ts";
import { ownParameters } from "../admission.ts";
import { historyPage } from "../history-parameters.ts";

/** Versions of one patient. */
export async function patientHistory(request: FhirRequest): Promise<Answer> {
  const id = request.params["id"] ?? "";
  const { patients } = request.setting.core;
  const page = { id, ...historyPage(request) };
  const { changes, totalSize, nextPageToken } = await patients.listPatientHistory(page, request.call);
  const links = linksOf(request, `${request.base}/Patient/${id}/_history`, nextPageToken);
  return historyAnswer(request, changes, Number(totalSize), links);
}

/** The change feed: changes of all patients in the order of their publication. */
export async function patientChanges(request: FhirRequest): Promise<Answer> {
  const { patients } = request.setting.core;
  const found = await patients.listPatientChanges(historyPage(request), request.call);
  // Oldest first there is always a token: it waits for what comes, and a link would never end.
  const next = found.hasMore ? found.nextPageToken : "";
  const links = linksOf(request, `${request.base}/Patient/_history`, next);
  return historyAnswer(request, found.changes, Number(found.totalSize), links);
}

function historyAnswer(
  request: FhirRequest,
  changes: readonly PatientChange[],
  total: number,
  links: readonly Link[],
): Answer {
  const entries = changes.map((change) => historyEntry(request.base, change));
  return jsonAnswer(request, 200, historyBundle(entries, { total, links }));
}

function historyEntry(base: string, { patient, interaction }: PatientChange): HistoryEntry {
  const resource = present(patient);
  const created = interaction === ChangeInteraction.CREATE;
  const lastUpdated = resource.meta?.lastUpdated;
  return {
    fullUrl: `${base}/Patient/${resource.id}`,
    resource: encodeResource(PatientSchema, resource),
    method: created ? "POST" : "PUT",
    url: created ? "Patient" : `Patient/${resource.id}`,
    etag: resource.etag,
    lastModified: tallinnInstant(present(lastUpdated)),
  };
}

function linksOf(request: FhirRequest, url: string, nextPageToken: string): Link[] {
  const parameters = ownParameters(request);
  const first = parameters.filter(({ name }) => name !== "_page");
  const link = (relation: Link[0], shown: typeof parameters): Link => {
    const query = writeParameters(shown);
    return [relation, query === "" ? url : `${url}?${query}`];
  };
  return [
    link("self", parameters),
    link("first", first),
    ...(nextPageToken === "" ? [] : [link("next", [...first, { name: "_page", value: nextPageToken }])]),
  ];
}
