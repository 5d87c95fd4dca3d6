import { MpiError } from "../errors/index.ts";
import type { IndexKey } from "./index-keys.ts";
import { blind, sealBytes, unsealBytes } from "./sealing.ts";

/** Made with both secrets of a key, without giving them away: it tells the key from another one of the same id. */
export interface KeyCheck {
  readonly ciphertext: Uint8Array<ArrayBuffer>;
  readonly hmac: Uint8Array<ArrayBuffer>;
}

const NOTHING = new Uint8Array();

export function checkOf(key: IndexKey): KeyCheck {
  return { ciphertext: sealBytes(key, contextOf(key), NOTHING).ciphertext, hmac: blind(key, contextOf(key)) };
}

/** Whether a check was made with this key. */
export function isCheckOf(key: IndexKey, { ciphertext, hmac }: KeyCheck): boolean {
  return opens(key, ciphertext) && Buffer.compare(blind(key, contextOf(key)), hmac) === 0;
}

function opens(key: IndexKey, ciphertext: KeyCheck["ciphertext"]): boolean {
  try {
    unsealBytes({ primary: key }, contextOf(key), { keyId: key.keyId, ciphertext });
    return true;
  } catch (cause) {
    if (!(cause instanceof MpiError)) throw cause;
    return false;
  }
}

function contextOf({ keyId }: IndexKey): string {
  return JSON.stringify(["index-key", keyId]);
}
