import { feedToken, type ListRequest, listName, pageBehind, parseFeedToken } from "../resources/index.ts";
import { changeOfPatient, type PatientHistory } from "./list-patient-history.ts";
import type { PatientIndex } from "./patient-index.ts";

export interface PatientChanges extends PatientHistory {
  readonly hasMore: boolean;
}

/**
 * Changes of all patients by position in the feed (spec http-api.md, GET /Patient/_history). Oldest first, the token
 * of the last page waits for what will be published next, so that a reader who follows the tokens misses nothing.
 */
export async function listPatientChanges(index: PatientIndex, request: ListRequest): Promise<PatientChanges> {
  const list = listName("Patient/_history", request);
  const after = parseFeedToken(list, request.pageToken);
  const found = await index.store.changes(pageBehind(after, request), index.now());
  const goesOn = found.hasMore || request.oldestFirst;
  return {
    changes: found.changes.map(changeOfPatient),
    total: found.total,
    hasMore: found.hasMore,
    nextPageToken: goesOn ? feedToken(list, found.place) : "",
  };
}
