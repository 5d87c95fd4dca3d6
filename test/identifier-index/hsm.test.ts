import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addSecondary,
  type HeldKeys,
  type HsmSettings,
  hsmWrapping,
  keyFile,
  unwrapped,
} from "../../src/identifier-index/index.ts";
import { newToken, whatIsMissing } from "./soft-hsm.ts";

const missing = await whatIsMissing();

describe.skipIf(missing !== undefined)(`keys in an HSM${missing ? ` (left out: ${missing})` : ""}`, () => {
  let folder: string;
  let settings: HsmSettings;
  let path: string;
  let first: HeldKeys;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "soft-hsm-"));
    settings = await newToken(folder);
    path = join(folder, "keys.json");
    first = await keyFile(path, async () => true, hsmWrapping(settings)).load();
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it("lie in the key file wrapped, so that the file alone gives none of them away", async () => {
    const text = await readFile(path, "utf8");
    for (const secret of [first.primary.encryption, first.primary.hmac].map((key) => key.export())) {
      for (const encoding of ["base64", "hex", "latin1"] as const) {
        expect(text).not.toContain(secret.toString(encoding));
      }
    }
    await expect(load(unwrapped)).rejects.toThrow("does not hold keys that can be used");
  });

  it("are the same at every start", async () => {
    expect(secretsOf(await load(hsmWrapping(settings)))).toEqual(secretsOf(first));
  });

  it("get a secondary one that is wrapped too", async () => {
    const keyId = await addSecondary(path, hsmWrapping(settings));
    const held = await load(hsmWrapping(settings));
    expect(held.secondary?.keyId).toBe(keyId);
    expect(held.secondary?.encryption.symmetricKeySize).toBe(32);
  });

  it("do not open under another name, nor when they were changed", async () => {
    const wrapping = hsmWrapping(settings);
    const wrapped = await wrapping.wrap("one", new Uint8Array(64).fill(7));
    expect([...(await wrapping.unwrap("one", wrapped))]).toEqual(Array(64).fill(7));
    await expect(wrapping.unwrap("another", wrapped)).rejects.toThrow("CKR");
    wrapped[20] = (wrapped[20] ?? 0) ^ 1;
    await expect(wrapping.unwrap("one", wrapped)).rejects.toThrow("CKR");
  });

  it.each<[string, Partial<HsmSettings>, string]>([
    ["with another PIN", { pin: "9999" }, "CKR_PIN_INCORRECT"],
    ["on a token that is not there", { tokenLabel: "elsewhere" }, "no token of the label elsewhere"],
    ["by a key that is not in the HSM", { keyLabel: "lost" }, "is wrapped by pkcs11:patient-index"],
    ["without the library of the HSM", { module: "/nowhere/libsofthsm2.so" }, "nowhere"],
  ])("do not load %s", async (_name, wrong, message) => {
    await expect(load(hsmWrapping({ ...settings, ...wrong }))).rejects.toMatchObject({
      cause: { message: expect.stringContaining(message) },
    });
  });

  it("are not mixed with keys that nobody wrapped", async () => {
    const plain = join(folder, "plain.json");
    await keyFile(plain, async () => true).load();
    await expect(keyFile(plain, async () => false, hsmWrapping(settings)).load()).rejects.toThrow(
      "does not hold keys that can be used",
    );
    await writeFile(plain, "");
    await expect(keyFile(plain, async () => false).load()).rejects.toThrow("does not hold keys");
  });

  function load(wrapping: ReturnType<typeof hsmWrapping>): Promise<HeldKeys> {
    return keyFile(path, async () => false, wrapping).load();
  }
});

function secretsOf({ primary }: HeldKeys): unknown {
  return { keyId: primary.keyId, secrets: [primary.encryption, primary.hmac].map((key) => key.export()) };
}
