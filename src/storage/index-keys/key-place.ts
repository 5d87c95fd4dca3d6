import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hsmWrapping, type KeyWrapping, unwrapped } from "../../identifier-index/index.ts";

/** The settings of the same names. */
export interface KeySettings {
  readonly keyFile: string | undefined;
  readonly keyProvider?: "file" | "pkcs11";
  readonly pkcs11Module?: string | undefined;
  readonly pkcs11Token?: string | undefined;
  readonly pkcs11Key?: string;
  readonly pkcs11Pin?: string | undefined;
  readonly pkcs11PinFile?: string | undefined;
}

/** Where the key file is, and how the keys in it are wrapped. */
export interface KeyPlace {
  readonly path: string;
  readonly wrapping: KeyWrapping;
}

/** The place of the settings; throws when what an HSM takes is missing. */
export async function keyPlace(settings: KeySettings, dataDirectory: string): Promise<KeyPlace> {
  const path = settings.keyFile ?? join(dataDirectory, "keys.json");
  if (settings.keyProvider !== "pkcs11") return { path, wrapping: unwrapped };
  const { pkcs11Module: module, pkcs11Token: tokenLabel, pkcs11Key: keyLabel = "patient-index" } = settings;
  const pin = await pinOf(settings);
  if (module === undefined || tokenLabel === undefined || pin === undefined) {
    throw new Error(
      "MPI_KEY_PROVIDER=pkcs11 needs MPI_PKCS11_MODULE, MPI_PKCS11_TOKEN, and MPI_PKCS11_PIN or MPI_PKCS11_PIN_FILE.",
    );
  }
  return { path, wrapping: hsmWrapping({ module, tokenLabel, keyLabel, pin }) };
}

async function pinOf({ pkcs11Pin, pkcs11PinFile }: KeySettings): Promise<string | undefined> {
  return pkcs11PinFile === undefined ? pkcs11Pin : (await readFile(pkcs11PinFile, "utf8")).trim();
}
