import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { type HistoryEntry, historyBundle } from "../../bundle/history.ts";
import { linksByToken } from "../../bundle/links.ts";
import { type Answer, jsonAnswer, present, type StoredResource } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { tallinnInstant } from "../../fhir/index.ts";
import { inWordsOfHttp } from "../../outcome/named-anew.ts";
import { historyPage, historyParameterNames, isTotalOnly } from "./history-parameters.ts";
import type { Change, Changes, StoredType } from "./stored-type.ts";

/** The versions of one resource. */
export async function history<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  const { id = "" } = request.params;
  const asked = type.calls.history(request.gateway.core, { id, ...historyPage(request) }, request.call);
  const found = await asked.catch(inWordsOfHttp);
  return historyAnswer(type, request, found, `${type.name}/${id}/_history`);
}

/** The change feed: changes of all resources of the type in the order of their publication. */
export async function changes<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  const { core } = request.gateway;
  const asked = present(type.calls.changes?.(core, historyPage(request), request.call));
  const found = await asked.catch(inWordsOfHttp);
  // Oldest first there is always a token: it waits for what comes, and following the links would never end.
  const nextPageToken = found.hasMore ? found.nextPageToken : "";
  return historyAnswer(type, request, { ...found, nextPageToken }, `${type.name}/_history`);
}

function historyAnswer<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
  found: Changes<Resource>,
  path: string,
): Answer {
  const url = `${request.base}/${path}`;
  const total = Number(found.totalSize);
  if (isTotalOnly(request)) {
    const [self] = linksOf(request, url, "");
    return jsonAnswer(request, 200, historyBundle([], { total, links: [self] }));
  }
  const entries = found.changes.map((change) => historyEntry(type, request.base, change));
  const links = linksOf(request, url, found.nextPageToken);
  return jsonAnswer(request, 200, historyBundle(entries, { total, links }));
}

function historyEntry<Resource extends StoredResource>(
  type: StoredType<Resource>,
  base: string,
  change: Change<Resource>,
): HistoryEntry {
  const resource = present(change.resource);
  const url = `${type.name}/${resource.id}`;
  const version = {
    fullUrl: `${base}/${url}`,
    etag: resource.etag,
    lastModified: tallinnInstant(present(resource.meta?.lastUpdated)),
    author: change.author,
    issues: change.issues ?? [],
  };
  switch (change.interaction) {
    case ChangeInteraction.CREATE:
      return { ...version, method: "POST", url: type.name, resource: type.encode(resource) };
    case ChangeInteraction.DELETE:
      return { ...version, method: "DELETE", url };
    default:
      return { ...version, method: "PUT", url, resource: type.encode(resource) };
  }
}

/** Links with what was understood: a parameter that was ignored would be refused when a link is followed. */
function linksOf({ parameters }: FhirRequest, url: string, nextPageToken: string) {
  const known: readonly string[] = historyParameterNames;
  const understood = parameters.filter(({ name }) => known.includes(name));
  return linksByToken(url, understood, nextPageToken);
}
