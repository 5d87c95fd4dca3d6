import { feedToken, type ListRequest, listName, pageBehind, parseFeedToken } from "../resources/index.ts";
import type { DependentIndex } from "./dependent-index.ts";
import type { HistoryList } from "./list-history.ts";
import type { Dependent } from "./ports.ts";

export interface ChangesList<Resource> extends HistoryList<Resource> {
  readonly hasMore: boolean;
}

/**
 * Changes of all dependents of a type by position in the feed. Oldest first, the token of the last page waits for
 * what will be published next, so that a reader who follows the tokens misses nothing.
 */
export async function listDependentChanges<Resource extends Dependent>(
  { kind, store, now }: DependentIndex<Resource>,
  request: ListRequest,
): Promise<ChangesList<Resource>> {
  const list = listName(`${kind.type}/_history`, request);
  const after = parseFeedToken(list, request.pageToken);
  const { place, ...found } = await store.changes(pageBehind(after, request), now());
  const goesOn = found.hasMore || request.oldestFirst;
  return { ...found, nextPageToken: goesOn ? feedToken(list, place) : "" };
}
