import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import type { HeldKeys, IndexKey } from "./index-keys.ts";
import { type KeyWrapping, type KeyWrappings, unwrapped } from "./key-wrapping.ts";

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
  if (wrapping.name === unwrapped.name) return { keyId, encryption: base64(encryption), hmac: base64(hmac) };
  const wrapped = await wrapping.wrap(keyId, Buffer.concat([encryption, hmac]));
  return { keyId, wrapping: wrapping.name, wrapped: base64(wrapped) };
}

/** Reads what a key file holds; throws when that is something else. */
export function parseStoredKeys(text: string): StoredKeys {
  const keys: unknown = JSON.parse(text);
  if (!isObject(keys)) throw new Error("It holds no keys.");
  const { primary, secondary, retired = [] } = keys;
  if (!isStoredKey(primary)) throw new Error("It has no primary key.");
  if (secondary !== undefined && !isStoredKey(secondary)) throw new Error("Its secondary key is none.");
  if (!Array.isArray(retired) || !retired.every(isStoredKey)) throw new Error("A retired key of it is none.");
  return { primary, retired, ...(secondary && { secondary }) };
}

function isStoredKey(key: unknown): key is StoredKey {
  if (!isObject(key) || !isText(key["keyId"])) return false;
  const { encryption, hmac, wrapping, wrapped } = key;
  return wrapped === undefined ? isText(encryption) && isText(hmac) : isText(wrapping) && isText(wrapped);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** Each key is opened by the wrapping that it was made with. */
export async function openStoredKeys(
  { primary, secondary, retired = [] }: StoredKeys,
  wrappings: KeyWrappings,
): Promise<HeldKeys> {
  const held = { primary: await openKey(primary, wrappings), retired: [] as IndexKey[] };
  for (const key of retired) held.retired.push(await openKey(key, wrappings));
  return secondary ? { ...held, secondary: await openKey(secondary, wrappings) } : held;
}

async function openKey(stored: StoredKey, wrappings: KeyWrappings): Promise<IndexKey> {
  const { keyId } = stored;
  if (!("wrapped" in stored)) return indexKey(keyId, bytes(stored.encryption), bytes(stored.hmac));
  const wrapping = wrappings.named(stored.wrapping);
  if (!wrapping) {
    throw new Error(
      `The key ${keyId} is wrapped by ${stored.wrapping}: MPI_PKCS11_MODULE, MPI_PKCS11_TOKEN and the PIN are needed to ` +
        "open it. If it is a secondary key that was added by mistake: npm run keys -- remove-secondary",
    );
  }
  const both = await wrapping.unwrap(keyId, bytes(stored.wrapped));
  return indexKey(keyId, both.subarray(0, SECRET_LENGTH), both.subarray(SECRET_LENGTH));
}

/** Whether a key of the file was made with a wrapping. */
export function usesWrapping(
  { primary, secondary, retired = [] }: StoredKeys,
  { name }: KeyWrapping,
): boolean {
  return [primary, ...(secondary ? [secondary] : []), ...retired].some(
    (key) => ("wrapped" in key ? key.wrapping : unwrapped.name) === name,
  );
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
