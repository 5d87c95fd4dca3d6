import { oneOf, optional, setting, text } from "./setting.ts";

/** Where the keys of the index come from (docs/keys.md). */
export const keySettings = {
  keyProvider: setting(
    "MPI_KEY_PROVIDER",
    oneOf(["file", "pkcs11"] as const),
    "file",
    "Who protects the keys of the index: the mode of the key file (`file`), or an HSM by whose key those in the file are wrapped (`pkcs11`).",
  ),
  pkcs11Module: setting(
    "MPI_PKCS11_MODULE",
    optional(text),
    undefined,
    "Path of the PKCS#11 library of the HSM.",
    "none; needed with `pkcs11`",
  ),
  pkcs11Token: setting(
    "MPI_PKCS11_TOKEN",
    optional(text),
    undefined,
    "Label of the token in the HSM.",
    "none; needed with `pkcs11`",
  ),
  pkcs11Key: setting(
    "MPI_PKCS11_KEY",
    text,
    "patient-index",
    "Label of the AES key in the HSM that wraps; made at the first start.",
  ),
  pkcs11Pin: setting(
    "MPI_PKCS11_PIN",
    optional(text),
    undefined,
    "PIN of the user of the token.",
    "none; this or MPI_PKCS11_PIN_FILE is needed with `pkcs11`",
  ),
  pkcs11PinFile: setting(
    "MPI_PKCS11_PIN_FILE",
    optional(text),
    undefined,
    "File with the PIN, instead of the PIN itself; both is refused.",
    "none",
  ),
} as const;
