import { type AuditEntry, type ChainedEntry, contentBytes, contentOf, digestOf } from "../../audit/index.ts";
import { type IndexKey, type IndexKeys, sealBytes, unsealBytes } from "../../identifier-index/index.ts";

/** An entry that has no place in its chain yet. */
export type SealedEntry = Omit<ChainedEntry, "n" | "hash" | "content" | "digest"> & {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly digest: Uint8Array<ArrayBuffer>;
};

/** Seals an entry for a stream. */
export function sealEntry(key: IndexKey, streamId: bigint, entry: AuditEntry): SealedEntry {
  const { recordedAt } = entry;
  const patientId = entry.patientId ?? null;
  const { keyId, ciphertext: content } = sealBytes(key, contextOf(streamId, patientId), contentBytes(entry));
  const sealed = { streamId, recordedAt, patientId, keyId, content };
  return { ...sealed, digest: digestOf(sealed) };
}

/** The entry of a row, opened with its key (MPI-003 when it does not open). */
export function openEntry(
  key: IndexKey,
  row: Pick<ChainedEntry, "streamId" | "recordedAt" | "patientId" | "keyId"> & {
    readonly content: Uint8Array<ArrayBuffer>;
  },
): AuditEntry {
  const { streamId, recordedAt, patientId, keyId, content } = row;
  const keys: IndexKeys = { primary: key };
  const bytes = unsealBytes(keys, contextOf(streamId, patientId), { keyId, ciphertext: content });
  return { ...contentOf(bytes), recordedAt, patientId: patientId ?? undefined };
}

/** Content moved to another stream or patient does not open. */
function contextOf(streamId: bigint, patientId: bigint | null): string {
  return `["audit-event","${streamId}",${patientId === null ? "null" : `"${patientId}"`}]`;
}
