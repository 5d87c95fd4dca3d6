import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { MpiError } from "../errors/index.ts";
import type { IndexKey, IndexKeys } from "./index-keys.ts";
import { openingKeys } from "./index-keys.ts";

/** What a sealed value belongs to. A ciphertext moved to any other place does not open. */
export interface Binding {
  readonly patientId: bigint;
  /** Id of the resource that holds the identifier: the patient or one of its dependents. */
  readonly owner: bigint;
  readonly n: number;
  readonly country: string | null;
  readonly type: string | null;
}

export interface SealedValue {
  readonly keyId: string;
  /** Nonce, tag and AES-256-GCM ciphertext, in this order. */
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

const CIPHER = "aes-256-gcm";
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;
/** So many nonces are made at a time. */
const NONCES = 256;

/** Encrypts a value under a key; every call takes a new random nonce (MPI-002 when that fails). */
export function seal(key: IndexKey, binding: Binding, value: string): SealedValue {
  try {
    return {
      keyId: key.keyId,
      ciphertext: encrypt(key, associatedData(binding), Buffer.from(value, "utf8")),
    };
  } catch (cause) {
    throw new MpiError("INDEX_ENCRYPTION_FAILED", {}, { cause });
  }
}

/** Decrypts a sealed value (MPI-003 when its key is not at hand or anything about it was changed). */
export function unseal(keys: IndexKeys, binding: Binding, sealed: SealedValue): string {
  try {
    return decrypt(keys, associatedData(binding), sealed).toString("utf8");
  } catch (cause) {
    throw new MpiError("INDEX_DECRYPTION_FAILED", {}, { cause });
  }
}

/**
 * HMAC of a value alone, whatever its system: one hash serves all levels of the identifier search
 * (MPI-004 when it cannot be computed).
 */
export function blind(key: IndexKey, value: string): Uint8Array<ArrayBuffer> {
  try {
    // Asked for as a text: memory of its own for so few bytes takes half as long as the hash.
    return Buffer.from(
      createHmac("sha256", key.hmac).update(normalized(value), "utf8").digest("latin1"),
      "latin1",
    );
  } catch (cause) {
    throw new MpiError("INDEX_HMAC_FAILED", {}, { cause });
  }
}

/** `blind`, or what answers the same. */
export type Blinding = (key: IndexKey, value: string) => Uint8Array<ArrayBuffer>;

/** More are blinded twice. */
const MOST_REMEMBERED = 16;

/**
 * `blind` that remembers its first answers, for one patient: who is written is blinded twice. A list, since a Map takes each
 * new text into V8's table of texts, which costs as much as a third of the hash.
 */
export function rememberingBlind(): Blinding {
  const known: { readonly key: IndexKey; readonly value: string; readonly hmac: Uint8Array<ArrayBuffer> }[] =
    [];
  return (key, value) => {
    const before = known.find((one) => one.value === value && one.key === key);
    if (before) return before.hmac;
    const hmac = blind(key, value);
    if (known.length < MOST_REMEMBERED) known.push({ key, value, hmac });
    return hmac;
  };
}

/** Encrypts bytes that are no identifier, bound to a context of their own (MPI-002 when that fails). */
export function sealBytes(key: IndexKey, context: string, bytes: Uint8Array): SealedValue {
  try {
    return { keyId: key.keyId, ciphertext: encrypt(key, Buffer.from(context, "utf8"), bytes) };
  } catch (cause) {
    throw new MpiError("INDEX_ENCRYPTION_FAILED", {}, { cause });
  }
}

/** Decrypts what sealBytes made in the same context (MPI-003 when it does not open). */
export function unsealBytes(keys: IndexKeys, context: string, sealed: SealedValue): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(decrypt(keys, Buffer.from(context, "utf8"), sealed));
  } catch (cause) {
    throw new MpiError("INDEX_DECRYPTION_FAILED", {}, { cause });
  }
}

function encrypt(key: IndexKey, associated: Buffer, value: Uint8Array): Uint8Array<ArrayBuffer> {
  const nonce = nextNonce();
  const cipher = createCipheriv(CIPHER, key.encryption, nonce);
  cipher.setAAD(associated);
  const sealed = cipher.update(value);
  // In this mode all of it is out by now; this makes the tag.
  cipher.final();
  const bytes = new Uint8Array(NONCE_LENGTH + TAG_LENGTH + sealed.length);
  bytes.set(nonce);
  bytes.set(cipher.getAuthTag(), NONCE_LENGTH);
  bytes.set(sealed, NONCE_LENGTH + TAG_LENGTH);
  return bytes;
}

let nonces = Buffer.alloc(0);
let noncesGiven = 0;

/** Random bytes that were given to nobody before; the system is asked for many at a time, which costs as much as one. */
function nextNonce(): Buffer {
  if (noncesGiven === nonces.length) {
    nonces = randomBytes(NONCE_LENGTH * NONCES);
    noncesGiven = 0;
  }
  noncesGiven += NONCE_LENGTH;
  return nonces.subarray(noncesGiven - NONCE_LENGTH, noncesGiven);
}

function decrypt(keys: IndexKeys, associated: Buffer, sealed: SealedValue): Buffer {
  const key = openingKeys(keys).find((candidate) => candidate.keyId === sealed.keyId);
  if (!key) throw new Error("The value is sealed under a key that is not at hand.");
  const bytes = sealed.ciphertext;
  const decipher = createDecipheriv(CIPHER, key.encryption, bytes.subarray(0, NONCE_LENGTH));
  decipher.setAAD(associated);
  decipher.setAuthTag(bytes.subarray(NONCE_LENGTH, NONCE_LENGTH + TAG_LENGTH));
  const value = decipher.update(bytes.subarray(NONCE_LENGTH + TAG_LENGTH));
  // In this mode all of it is out by now; this checks the tag.
  decipher.final();
  return value;
}

const PRINTABLE_ASCII = /^[ -~]*$/;

/** Two spellings of a value that name the same document: trimmed, NFC, case kept. */
export function normalized(value: string): string {
  const trimmed = value.trim();
  // All of ASCII is in NFC, and seen to be ASCII several times faster than normalized.
  return PRINTABLE_ASCII.test(trimmed) ? trimmed : trimmed.normalize("NFC");
}

function associatedData({ patientId, owner, n, country, type }: Binding): Buffer {
  return Buffer.from(JSON.stringify([String(patientId), String(owner), n, country, type]), "utf8");
}
