import { create, type Message } from "@bufbuild/protobuf";
import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { type DependentId, publicNumber } from "../../dependents/dependent-id.ts";
import type { Dependent, DependentChange, FoundDependent, StoredVersion } from "../../dependents/ports.ts";
import type { MpiError } from "../../errors/index.ts";
import type { IndexKeys } from "../../identifier-index/index.ts";
import { type AuthorColumns, openAuthor } from "../sealing/authors.ts";
import { type Holder, unsealDocument } from "../sealing/sealed-document.ts";
import { type SealedColumn, storedValues } from "../sealing/sealed-rows.ts";
import { readingOf } from "../sealing/unreadable.ts";
import { stamped } from "../versions/versioned.ts";
import type { DependentTable } from "./dependent-table.ts";

/** A version of a dependent as the tables give it; without a document when it says that it was deleted. */
export interface DependentRow extends DependentId, SealedColumn {
  readonly version: number;
  readonly updatedAt: Date;
  readonly document: Uint8Array | null;
}

/** A row of the history, with who made the version. */
export interface DependentVersionRow extends DependentRow, AuthorColumns {}

/** Whose sealed values those of a dependent are. */
export function holderOf(id: DependentId): Holder {
  return { patientId: id.patientId, owner: publicNumber(id) };
}

/** A resource without content: what is shown of a deletion. */
function emptyOf<Resource extends Dependent>(table: DependentTable<Resource>): Resource {
  return create(table.schema) as Message as Resource;
}

/** What is known of a version without opening it. */
export function unopenedOf<Resource extends Dependent>(
  table: DependentTable<Resource>,
  row: Pick<DependentRow, "patientId" | "n" | "version" | "updatedAt">,
): Resource {
  return stamped(emptyOf(table), { ...row, id: publicNumber(row) });
}

/** The version of a row, identifier values opened, what the store itself sets put in. */
export function versionOf<Resource extends Dependent>(
  keys: IndexKeys,
  table: DependentTable<Resource>,
  row: DependentRow,
): StoredVersion<Resource> {
  const { version, updatedAt } = row;
  const content = row.document
    ? // The schema of a table is that of its resources, which its type cannot say.
      (unsealDocument(keys, table.schema, row.document, holderOf(row), storedValues(row)) as Resource)
    : emptyOf(table);
  const resource = stamped(content, { id: publicNumber(row), version, updatedAt });
  return { resource, deleted: row.document === null };
}

/** The version of a row, with how it came about. */
export function changeOf<Resource extends Dependent>(
  keys: IndexKeys,
  table: DependentTable<Resource>,
  row: DependentVersionRow,
): DependentChange<Resource> {
  const { resource, deleted } = versionOf(keys, table, row);
  const author = openAuthor(keys, row.patientId, row);
  return { resource, interaction: interactionOf(row, deleted), ...(author && { author }) };
}

/** The same, of a version that does not open too: it has its place in the feed, so that a reader gets past it. */
export function readableChangeOf<Resource extends Dependent>(
  keys: IndexKeys,
  table: DependentTable<Resource>,
  row: DependentVersionRow,
): DependentChange<Resource> {
  const reading = readingOf(() => changeOf(keys, table, row));
  if ("content" in reading) return reading.content;
  const interaction = interactionOf(row, row.document === null);
  return { ...unreadableDependent(table, row, reading.unreadable), interaction };
}

/** The current version of a row as a search finds it among others. */
export function foundDependentOf<Resource extends Dependent>(
  keys: IndexKeys,
  table: DependentTable<Resource>,
  row: DependentRow,
): FoundDependent<Resource> {
  const reading = readingOf(() => versionOf(keys, table, row));
  if ("content" in reading) return { resource: reading.content.resource };
  return unreadableDependent(table, row, reading.unreadable);
}

function unreadableDependent<Resource extends Dependent>(
  table: DependentTable<Resource>,
  row: DependentRow,
  unreadable: MpiError,
): FoundDependent<Resource> & { readonly unreadable: MpiError } {
  return { resource: unopenedOf(table, row), unreadable };
}

function interactionOf({ version }: DependentRow, deleted: boolean): ChangeInteraction {
  if (deleted) return ChangeInteraction.DELETE;
  return version === 1 ? ChangeInteraction.CREATE : ChangeInteraction.UPDATE;
}
