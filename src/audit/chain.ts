import { hash } from "node:crypto";
import { ofLastInstant } from "../time/last-instant.ts";

/**
 * An entry as it is kept: its content sealed, and a link of the chain of its stream. Nothing of it changes once it
 * is written.
 */
export interface ChainedEntry {
  /** The chain: the id of a patient for writes, negative for what one process recorded. */
  readonly streamId: bigint;
  /** Place in the chain, from 1. */
  readonly n: bigint;
  readonly recordedAt: Date;
  readonly patientId: bigint | null;
  /** The key that the content is sealed with; null without one. */
  readonly keyId: string | null;
  /** null when it stands with the entry `contentN`. */
  readonly content: Uint8Array | null;
  /** Place of the entry of this stream whose content is that of all that were written together; null when each has its own. */
  readonly contentN: bigint | null;
  readonly digest: Uint8Array;
  readonly hash: Uint8Array;
}

/** The end of a chain. */
export interface ChainHead {
  readonly streamId: bigint;
  readonly n: bigint;
  readonly hash: Uint8Array;
}

/** The hash before the first entry of a chain. */
export const NO_HASH: Uint8Array<ArrayBuffer> = new Uint8Array(0);

/**
 * The digest of an entry: SHA-256 of the JSON array [stream, instant, patient or null, key, content in base64], and for
 * one of those written together of [stream, instant, patient or null, key or null, content or null, place of the content]. The
 * place in the chain is not in it, so that the database can give places; the chain of hashes fixes them.
 */
export function digestOf(entry: Omit<ChainedEntry, "n" | "digest" | "hash">): Uint8Array<ArrayBuffer> {
  const { streamId, recordedAt, patientId, keyId, content, contentN } = entry;
  const patient = patientId === null ? "null" : `"${patientId}"`;
  const sealed = content === null ? "null,null" : `"${keyId}","${base64(content)}"`;
  const place = contentN === null ? "" : `,"${contentN}"`;
  // None of this holds what JSON would escape; a template is made in a fraction of the time.
  return sha256(`["${streamId}","${utcText(recordedAt.getTime())}",${patient},${sealed}${place}]`);
}

/** The hash of an entry: SHA-256 of the hash of the one before, and its digest. */
export function chainHash(previous: Uint8Array, digest: Uint8Array): Uint8Array<ArrayBuffer> {
  return sha256(Buffer.concat([previous, digest]));
}

/** The hashes of entries that follow one another, after the one with the hash `previous`. */
export function chained(previous: Uint8Array, digests: readonly Uint8Array[]): Uint8Array<ArrayBuffer>[] {
  let last = previous;
  return digests.map((digest) => {
    const next = chainHash(last, digest);
    last = next;
    return next;
  });
}

/** Many entries are of one millisecond, and an instant takes half as long to write as a hash. */
const utcText = ofLastInstant((instant) => new Date(instant).toISOString());

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function sha256(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  // Asked for as a text: memory of its own for so few bytes takes as long as the hash.
  return Buffer.from(hash("sha256", data, "latin1"), "latin1");
}
