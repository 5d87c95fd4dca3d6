import { randomBytes } from "node:crypto";
import type { AesGCM, Handle, Mechanism } from "pkcs11js";
import { type KeyWrapping, type KeyWrappings, unwrappedOnly } from "../key-wrapping.ts";
import { type TokenSession, type TokenSettings, withToken } from "./token-session.ts";

export interface HsmSettings extends TokenSettings {
  /** Label of the AES key that wraps; it never leaves the HSM. */
  readonly keyLabel: string;
}

const NAME = "pkcs11:";
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const KEY_LENGTH = 32;

/** The wrappings of all keys of the HSM, and keys that nobody wrapped; new ones are wrapped unless it is said otherwise. */
export function hsmWrappings(
  settings: HsmSettings,
  forNew: KeyWrapping = hsmWrapping(settings),
): KeyWrappings {
  return {
    forNew,
    named: (name) =>
      name.startsWith(NAME)
        ? hsmWrapping({ ...settings, keyLabel: name.slice(NAME.length) })
        : unwrappedOnly.named(name),
  };
}

/** Keys wrapped with AES-256-GCM by a key that an HSM holds: IV, ciphertext and tag, in this order. */
export function hsmWrapping(settings: HsmSettings): KeyWrapping {
  return {
    name: `${NAME}${settings.keyLabel}`,
    prepare: () =>
      withToken(settings, (session) => {
        if (!findKey(session, settings.keyLabel)) generateKey(session, settings.keyLabel);
      }),
    wrap: (keyId, secret) =>
      withToken(settings, (session) => {
        const iv = randomBytes(IV_LENGTH);
        const { module, handle } = session;
        module.C_EncryptInit(handle, gcm(session, iv, keyId), keyOf(session, settings.keyLabel));
        const sealed = Buffer.alloc(secret.length + TAG_LENGTH);
        return Buffer.concat([iv, module.C_Encrypt(handle, Buffer.from(secret), sealed)]);
      }),
    unwrap: (keyId, wrapped) =>
      withToken(settings, (session) => {
        const { module, handle } = session;
        const [iv, sealed] = [
          Buffer.from(wrapped.subarray(0, IV_LENGTH)),
          Buffer.from(wrapped.subarray(IV_LENGTH)),
        ];
        module.C_DecryptInit(handle, gcm(session, iv, keyId), keyOf(session, settings.keyLabel));
        return module.C_Decrypt(handle, sealed, Buffer.alloc(sealed.length));
      }),
  };
}

function gcm({ library }: TokenSession, iv: Buffer, keyId: string): Mechanism {
  const parameter: AesGCM = {
    type: library.CK_PARAMS_AES_GCM,
    iv,
    aad: Buffer.from(keyId, "utf8"),
    ivBits: IV_LENGTH * 8,
    tagBits: TAG_LENGTH * 8,
  };
  return { mechanism: library.CKM_AES_GCM, parameter };
}

function keyOf(session: TokenSession, label: string): Handle {
  const key = findKey(session, label);
  if (!key) {
    throw new Error(
      `The HSM has no key of the label ${label}; without it the keys of the index cannot be unwrapped.`,
    );
  }
  return key;
}

function findKey({ library, module, handle }: TokenSession, label: string): Handle | undefined {
  module.C_FindObjectsInit(handle, [
    { type: library.CKA_CLASS, value: library.CKO_SECRET_KEY },
    { type: library.CKA_LABEL, value: label },
  ]);
  try {
    const [key, second] = module.C_FindObjects(handle, 2);
    if (second) throw new Error(`The HSM has several keys of the label ${label}.`);
    return key;
  } finally {
    module.C_FindObjectsFinal(handle);
  }
}

/** A key that stays in the HSM and does nothing but encrypt and decrypt. */
function generateKey({ library, module, handle }: TokenSession, label: string): void {
  module.C_GenerateKey(handle, { mechanism: library.CKM_AES_KEY_GEN }, [
    { type: library.CKA_CLASS, value: library.CKO_SECRET_KEY },
    { type: library.CKA_KEY_TYPE, value: library.CKK_AES },
    { type: library.CKA_VALUE_LEN, value: KEY_LENGTH },
    { type: library.CKA_LABEL, value: label },
    { type: library.CKA_TOKEN, value: true },
    { type: library.CKA_PRIVATE, value: true },
    { type: library.CKA_SENSITIVE, value: true },
    { type: library.CKA_EXTRACTABLE, value: false },
    { type: library.CKA_ENCRYPT, value: true },
    { type: library.CKA_DECRYPT, value: true },
  ]);
}
