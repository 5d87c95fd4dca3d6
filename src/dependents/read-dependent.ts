import { MpiError } from "../errors/index.ts";
import { elementPaths, parseVersionId, withElements } from "../resources/index.ts";
import { parseDependentId } from "./dependent-id.ts";
import type { DependentIndex } from "./dependent-index.ts";
import type { Dependent } from "./ports.ts";

/** The current version of a dependent, cut to `elements` when any are named; a deleted one is gone (410). */
export async function readDependent<Resource extends Dependent>(
  { kind, store }: DependentIndex<Resource>,
  id: string,
  elements: readonly string[],
): Promise<Resource> {
  const paths = elementPaths(kind.schema, elements);
  const key = parseDependentId(id);
  const stored = key && (await store.read(key));
  if (!stored) throw kind.notFound(id);
  if (stored.deleted) throw kind.deleted(id);
  return withElements(kind.schema, stored.resource, paths);
}

/** One version of a dependent as it was, cut to `elements` (MPI-079 when there is no such version); a deletion shows nothing (410). */
export async function readDependentVersion<Resource extends Dependent>(
  { kind, store }: DependentIndex<Resource>,
  id: string,
  versionId: string,
  elements: readonly string[],
): Promise<Resource> {
  const paths = elementPaths(kind.schema, elements);
  const key = parseDependentId(id);
  if (!key) throw kind.notFound(id);
  const stored = await store.readVersion(key, parseVersionId(versionId));
  if (stored?.deleted) throw kind.deleted(id);
  if (stored) return withElements(kind.schema, stored.resource, paths);
  if (!(await store.exists(key))) throw kind.notFound(id);
  throw new MpiError("HISTORY_ENTRY_NOT_FOUND");
}
