import { type Author, AuthorSchema } from "#proto/patientindex/v1/author_pb.ts";
import { currentAuthor } from "../../call/author.ts";
import { type IndexKey, type IndexKeys, sealBytes, unsealBytes } from "../../identifier-index/index.ts";
import { readMessage, writeMessage } from "../../messages/index.ts";

/** The author of a version as a history keeps it; null where it is not known. */
export interface AuthorColumns {
  readonly authorKeyId: string | null;
  readonly author: Uint8Array<ArrayBuffer> | null;
}

export interface KnownAuthor extends AuthorColumns {
  readonly authorKeyId: string;
  readonly author: Uint8Array<ArrayBuffer>;
}

const UNKNOWN: AuthorColumns = { authorKeyId: null, author: null };

/** The author of what is written now, sealed for the history of a patient or of what lies with it. */
export function sealedAuthor(keys: IndexKeys, patientId: bigint): AuthorColumns {
  return sealAuthor(keys, patientId, authorBytes());
}

/** The author of what is written now, to be sealed; undefined where it is not known. */
export function authorBytes(): Uint8Array | undefined {
  const author = currentAuthor();
  return author && writeMessage(AuthorSchema, author);
}

/** Seals an author for the history of a patient. */
export function sealAuthor(
  keys: IndexKeys,
  patientId: bigint,
  author: Uint8Array | undefined,
): AuthorColumns {
  if (!author) return UNKNOWN;
  const { keyId, ciphertext } = sealBytes(keys.primary, contextOf(patientId), author);
  return { authorKeyId: keyId, author: ciphertext };
}

/** Who made a version (MPI-003 when it does not open). */
export function openAuthor(
  keys: IndexKeys,
  patientId: bigint,
  { authorKeyId: keyId, author: ciphertext }: AuthorColumns,
): Author | undefined {
  if (keyId === null || ciphertext === null) return undefined;
  return readMessage(AuthorSchema, unsealBytes(keys, contextOf(patientId), { keyId, ciphertext }));
}

/** What a history keeps of an author, sealed anew under another key. */
export function resealedAuthor(
  keys: IndexKeys,
  to: IndexKey,
  patientId: bigint,
  { authorKeyId: keyId, author: ciphertext }: KnownAuthor,
): KnownAuthor {
  const context = contextOf(patientId);
  const sealed = sealBytes(to, context, unsealBytes(keys, context, { keyId, ciphertext }));
  return { authorKeyId: sealed.keyId, author: sealed.ciphertext };
}

/** An author moved to the history of another patient does not open. */
function contextOf(patientId: bigint): string {
  return JSON.stringify(["author", String(patientId)]);
}
