import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import type { HeldKeys, IndexKey } from "./index-keys.ts";
import type { KeyWrapping } from "./key-wrapping.ts";

/** A key as the file holds it: 32 bytes each in base64, or both together, wrapped. */
export type StoredKey =
  | { readonly keyId: string; readonly encryption: string; readonly hmac: string }
  | { readonly keyId: string; readonly wrapping: string; readonly wrapped: string };

/** What a key file holds. */
export interface StoredKeys {
  readonly primary: StoredKey;
  readonly secondary?: StoredKey;
  readonly retired?: readonly StoredKey[];
}

const SECRET_LENGTH = 32;

/** A new key, ready for the file. */
export async function newStoredKey(wrapping: KeyWrapping): Promise<StoredKey> {
  const keyId = randomUUID();
  const [encryption, hmac] = [randomBytes(SECRET_LENGTH), randomBytes(SECRET_LENGTH)];
  if (wrapping.name === "none") return { keyId, encryption: base64(encryption), hmac: base64(hmac) };
  const wrapped = await wrapping.wrap(keyId, Buffer.concat([encryption, hmac]));
  return { keyId, wrapping: wrapping.name, wrapped: base64(wrapped) };
}

export async function openStoredKeys(
  { primary, secondary, retired = [] }: StoredKeys,
  wrapping: KeyWrapping,
): Promise<HeldKeys> {
  const held = { primary: await openKey(primary, wrapping), retired: [] as IndexKey[] };
  for (const key of retired) held.retired.push(await openKey(key, wrapping));
  return secondary ? { ...held, secondary: await openKey(secondary, wrapping) } : held;
}

async function openKey(stored: StoredKey, wrapping: KeyWrapping): Promise<IndexKey> {
  const { keyId } = stored;
  if (typeof keyId !== "string" || keyId === "") throw new Error("A key has no keyId.");
  const madeBy = "wrapped" in stored ? stored.wrapping : "none";
  if (madeBy !== wrapping.name) {
    throw new Error(
      `The key ${keyId} is wrapped by ${madeBy}, and the key provider of the settings is for ${wrapping.name}.`,
    );
  }
  if (!("wrapped" in stored)) return indexKey(keyId, bytes(stored.encryption), bytes(stored.hmac));
  const both = await wrapping.unwrap(keyId, bytes(stored.wrapped));
  return indexKey(keyId, both.subarray(0, SECRET_LENGTH), both.subarray(SECRET_LENGTH));
}

function indexKey(keyId: string, encryption: Uint8Array, hmac: Uint8Array): IndexKey {
  if (encryption.length !== SECRET_LENGTH || hmac.length !== SECRET_LENGTH) {
    throw new Error(`A secret of the key ${keyId} is not ${SECRET_LENGTH} bytes long.`);
  }
  return { keyId, encryption: createSecretKey(encryption), hmac: createSecretKey(hmac) };
}

function base64(secret: Uint8Array): string {
  return Buffer.from(secret).toString("base64");
}

function bytes(text: string): Buffer {
  return Buffer.from(text, "base64");
}
