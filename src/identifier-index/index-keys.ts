import type { KeyObject } from "node:crypto";

/** One generation of keys: one to encrypt values with, one to hash them with for look-up. */
export interface IndexKey {
  readonly keyId: string;
  /** AES-256. */
  readonly encryption: KeyObject;
  /** HMAC-SHA-256. */
  readonly hmac: KeyObject;
}

/**
 * The keys in use (spec security.md, "The index is encrypted"). New values are sealed under the primary key;
 * while a rotation runs, values sealed under either can be read and looked up.
 */
export interface IndexKeys {
  readonly primary: IndexKey;
  readonly secondary?: IndexKey;
}

/** Where the keys come from: a key file, or an HSM. */
export interface KeyProvider {
  load(): Promise<IndexKeys>;
}

/** The keys that values may be sealed under, primary first. */
export function keysInUse(keys: IndexKeys): IndexKey[] {
  return keys.secondary ? [keys.primary, keys.secondary] : [keys.primary];
}
