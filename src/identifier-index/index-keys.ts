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
 * The keys in use at a moment (spec security.md, "The index is encrypted"). New values are sealed under the primary
 * key. While a rotation runs there is a secondary one: identifiers have a row of the blind index under each, and are
 * looked up by both.
 */
export interface IndexKeys {
  readonly primary: IndexKey;
  readonly secondary?: IndexKey;
  /** Values sealed under these can be opened; nothing new is sealed or hashed with them. */
  readonly others?: readonly IndexKey[];
}

/** What a key provider has: the labels are those of the operator, the database says which key is used for what. */
export interface HeldKeys {
  readonly primary: IndexKey;
  /** The one that a rotation goes to. */
  readonly secondary?: IndexKey;
  /** Those that rotations have left behind. */
  readonly retired: readonly IndexKey[];
}

/** Where the keys come from: a key file, or an HSM. */
export interface KeyProvider {
  /** Reads them anew at every call, so that keys that were added meanwhile are found. */
  load(): Promise<HeldKeys>;
}

/** The keys that rows of the blind index are under, the one for new values first. */
export function keysInUse(keys: IndexKeys): IndexKey[] {
  return keys.secondary ? [keys.primary, keys.secondary] : [keys.primary];
}

/** All keys that a sealed value can be under. */
export function openingKeys(keys: IndexKeys): IndexKey[] {
  return [...keysInUse(keys), ...(keys.others ?? [])];
}

/** All keys that a provider has. */
export function allHeld({ primary, secondary, retired }: HeldKeys): IndexKey[] {
  return [primary, ...(secondary ? [secondary] : []), ...retired];
}
