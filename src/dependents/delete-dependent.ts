import { refuseOtherVersion } from "../resources/index.ts";
import { parseDependentId } from "./dependent-id.ts";
import type { DependentIndex } from "./dependent-index.ts";
import type { Dependent } from "./ports.ts";

/**
 * Deletes a dependent, with an etag only in the version that it names, and answers with the version that says so.
 * Deleting is idempotent (R5 http, 3.2.0.7.1): one that is deleted already stays as it is, whatever the etag.
 */
export async function deleteDependent<Resource extends Dependent>(
  { kind, store, now }: DependentIndex<Resource>,
  id: string,
  etag: string,
): Promise<Resource> {
  const key = parseDependentId(id);
  if (!key) throw kind.notFound(id);
  const deleted = await store.delete(key, now(), (current) => refuseOtherVersion(current, etag));
  if (!deleted) throw kind.notFound(id);
  return deleted.resource;
}
