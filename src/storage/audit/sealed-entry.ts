import {
  type AuditContent,
  type AuditEntry,
  type ChainedEntry,
  contentAt,
  contentBytes,
  contentOf,
  digestOf,
  type JointContent,
  jointContentBytes,
  jointContentOf,
} from "../../audit/index.ts";
import { MpiError } from "../../errors/index.ts";
import { type IndexKey, sealBytes, unsealBytes } from "../../identifier-index/index.ts";

/** A content as it stands in a row. */
export interface SealedContent {
  /** The key that it is sealed with. */
  readonly keyId: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** What of an entry its content is put together with. */
type EntryRow = Pick<ChainedEntry, "streamId" | "recordedAt" | "patientId">;

/** An entry with a content of its own that has no place in its chain yet. */
export interface SealedEntry extends SealedContent, EntryRow {
  readonly digest: Uint8Array<ArrayBuffer>;
}

/** What entries of many patients have in common: what they say, and the key that each is sealed with. */
export interface EntryOfAll {
  readonly key: IndexKey;
  readonly content: Uint8Array;
}

/** Entries that are written together: one content for them all. */
export interface JointEntries extends SealedContent {
  /** The digest of each. */
  readonly digests: readonly Uint8Array<ArrayBuffer>[];
}

/** Seals an entry for a stream. */
export function sealEntry(key: IndexKey, streamId: bigint, entry: AuditEntry): SealedEntry {
  const { recordedAt, patientId = null } = entry;
  return sealContent(key, { streamId, recordedAt, patientId }, contentBytes(entry));
}

/** Seals the content of an entry, which many may have in common. */
export function sealContent(key: IndexKey, row: EntryRow, bytes: Uint8Array): SealedEntry {
  const { streamId, recordedAt, patientId } = row;
  const { keyId, ciphertext: content } = sealBytes(key, contextOf(streamId, patientId), bytes);
  const sealed = { streamId, recordedAt, patientId, keyId, content };
  return { ...sealed, digest: digestOf({ ...sealed, contentN: null }) };
}

/** Seals entries that are written together, the first of them at the place `contentN` of the stream. */
export function sealJointly(
  key: IndexKey,
  streamId: bigint,
  contentN: bigint,
  entries: readonly AuditEntry[],
): JointEntries {
  const context = jointContextOf(streamId, contentN);
  const { keyId, ciphertext } = sealBytes(key, context, jointContentBytes(entries));
  const digests = entries.map(({ recordedAt, patientId = null }, place) => {
    const content = place === 0 ? ciphertext : null;
    return digestOf({ streamId, recordedAt, patientId, keyId, content, contentN });
  });
  return { keyId, content: ciphertext, digests };
}

/** Opens a content of entries that were written together (MPI-003 when it does not open). */
export function openJointly(
  key: IndexKey,
  streamId: bigint,
  contentN: bigint,
  { keyId, content: ciphertext }: SealedContent,
): JointContent {
  return jointContentOf(
    unsealBytes({ primary: key }, jointContextOf(streamId, contentN), { keyId, ciphertext }),
  );
}

/** One of the entries of such a content (MPI-003 when it holds none for this place and patient). */
export function entryAt(joint: JointContent, place: number, row: EntryRow): AuditEntry {
  const content = contentAt(joint, place, row.patientId ?? undefined);
  if (!content) throw new MpiError("INDEX_DECRYPTION_FAILED");
  return entryOf(row, content);
}

/** An entry with a content of its own, opened (MPI-003 when it does not open). */
export function openEntry(
  key: IndexKey,
  row: EntryRow,
  { keyId, content: ciphertext }: SealedContent,
): AuditEntry {
  const context = contextOf(row.streamId, row.patientId);
  return entryOf(row, contentOf(unsealBytes({ primary: key }, context, { keyId, ciphertext })));
}

function entryOf({ recordedAt, patientId }: EntryRow, content: AuditContent): AuditEntry {
  return { ...content, recordedAt, patientId: patientId ?? undefined };
}

/** Content moved to another stream or patient does not open. */
function contextOf(streamId: bigint, patientId: bigint | null): string {
  return `["audit-event","${streamId}",${patientId === null ? "null" : `"${patientId}"`}]`;
}

/** Content moved to another stream or place does not open; whose data each entry is of stands in it. */
function jointContextOf(streamId: bigint, contentN: bigint): string {
  return `["audit-events","${streamId}","${contentN}"]`;
}
