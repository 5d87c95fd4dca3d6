import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { MpiError } from "../errors/index.ts";
import type { IndexKey, IndexKeys } from "./index-keys.ts";
import { keysInUse } from "./index-keys.ts";

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

/** Encrypts a value under a key; every call takes a new random nonce (MPI-002 when that fails). */
export function seal(key: IndexKey, binding: Binding, value: string): SealedValue {
  try {
    return encrypt(key, binding, value);
  } catch (cause) {
    throw new MpiError("INDEX_ENCRYPTION_FAILED", {}, { cause });
  }
}

/** Decrypts a sealed value (MPI-003 when its key is not in use or anything about it was changed). */
export function unseal(keys: IndexKeys, binding: Binding, sealed: SealedValue): string {
  try {
    return decrypt(keys, binding, sealed);
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
    return Uint8Array.from(createHmac("sha256", key.hmac).update(normalized(value), "utf8").digest());
  } catch (cause) {
    throw new MpiError("INDEX_HMAC_FAILED", {}, { cause });
  }
}

function encrypt(key: IndexKey, binding: Binding, value: string): SealedValue {
  const nonce = randomBytes(NONCE_LENGTH);
  const cipher = createCipheriv(CIPHER, key.encryption, nonce);
  cipher.setAAD(associatedData(binding));
  const sealed = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return {
    keyId: key.keyId,
    ciphertext: Uint8Array.from(Buffer.concat([nonce, cipher.getAuthTag(), sealed])),
  };
}

function decrypt(keys: IndexKeys, binding: Binding, sealed: SealedValue): string {
  const key = keysInUse(keys).find((candidate) => candidate.keyId === sealed.keyId);
  if (!key) throw new Error("The value is sealed under a key that is not in use.");
  const bytes = sealed.ciphertext;
  const decipher = createDecipheriv(CIPHER, key.encryption, bytes.subarray(0, NONCE_LENGTH));
  decipher.setAAD(associatedData(binding));
  decipher.setAuthTag(bytes.subarray(NONCE_LENGTH, NONCE_LENGTH + TAG_LENGTH));
  return (
    decipher.update(bytes.subarray(NONCE_LENGTH + TAG_LENGTH), undefined, "utf8") + decipher.final("utf8")
  );
}

/** Two spellings of a value that name the same document: trimmed, NFC, case kept. */
export function normalized(value: string): string {
  return value.trim().normalize("NFC");
}

function associatedData({ patientId, owner, n, country, type }: Binding): Buffer {
  return Buffer.from(JSON.stringify([String(patientId), String(owner), n, country, type]), "utf8");
}
