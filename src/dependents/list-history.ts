import { type ListRequest, listName, pageBehind, pageToken, parseVersionToken } from "../resources/index.ts";
import { parseDependentId } from "./dependent-id.ts";
import type { DependentIndex } from "./dependent-index.ts";
import type { Dependent, DependentChange } from "./ports.ts";

export interface HistoryList<Resource> {
  readonly changes: DependentChange<Resource>[];
  readonly total: number;
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** Versions of one dependent, deletions included, newest first unless asked otherwise. */
export async function listDependentHistory<Resource extends Dependent>(
  { kind, store }: DependentIndex<Resource>,
  id: string,
  request: ListRequest,
): Promise<HistoryList<Resource>> {
  const list = listName(`${kind.type}/${id}/_history`, request);
  const after = parseVersionToken(list, request.pageToken);
  const key = parseDependentId(id);
  if (!key) throw kind.notFound(id);
  const found = await store.history(key, pageBehind(after, request));
  if (!found) throw kind.notFound(id);
  const last = found.changes.at(-1)?.resource.meta?.versionId;
  return {
    changes: found.changes,
    total: found.total,
    nextPageToken: found.hasMore && last !== undefined ? pageToken(list, BigInt(last)) : "",
  };
}
