import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type HsmSettings,
  hsmWrappings,
  type KeyWrappings,
  unwrapped,
  unwrappedOnly,
} from "../../identifier-index/index.ts";

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
  readonly wrappings: KeyWrappings;
}

/** The place of the settings; throws when what an HSM takes is missing. */
export async function keyPlace(settings: KeySettings, dataDirectory: string): Promise<KeyPlace> {
  const path = settings.keyFile ?? join(dataDirectory, "keys.json");
  const hsm = await hsmOf(settings);
  if (settings.keyProvider !== "pkcs11") {
    return { path, wrappings: hsm ? hsmWrappings(hsm, unwrapped) : unwrappedOnly };
  }
  if (!hsm) {
    throw new Error(
      "MPI_KEY_PROVIDER=pkcs11 needs MPI_PKCS11_MODULE, MPI_PKCS11_TOKEN, and MPI_PKCS11_PIN or MPI_PKCS11_PIN_FILE.",
    );
  }
  return { path, wrappings: hsmWrappings(hsm) };
}

/** Undefined unless all is there that an HSM takes: keys in the file may be wrapped by it, whoever protects new ones. */
async function hsmOf(settings: KeySettings): Promise<HsmSettings | undefined> {
  const { pkcs11Module: module, pkcs11Token: tokenLabel, pkcs11Key: keyLabel = "patient-index" } = settings;
  if (module === undefined || tokenLabel === undefined) return undefined;
  const pin = await pinOf(settings);
  return pin === undefined ? undefined : { module, tokenLabel, keyLabel, pin };
}

async function pinOf({ pkcs11Pin, pkcs11PinFile }: KeySettings): Promise<string | undefined> {
  if (pkcs11PinFile === undefined) return pkcs11Pin;
  if (pkcs11Pin !== undefined) {
    throw new Error("MPI_PKCS11_PIN and MPI_PKCS11_PIN_FILE are both set: only one of them can be meant.");
  }
  const pin = (await readPinFile(pkcs11PinFile)).trim();
  if (pin === "") throw new Error(`The file of MPI_PKCS11_PIN_FILE, ${pkcs11PinFile}, holds no PIN.`);
  return pin;
}

async function readPinFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new Error(`The file of MPI_PKCS11_PIN_FILE, ${path}, cannot be read.`, { cause });
  }
}
