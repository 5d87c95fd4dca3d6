import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addSecondary,
  type HeldKeys,
  type HsmSettings,
  hsmWrapping,
  hsmWrappings,
  type KeyWrappings,
  keyFile,
  promoteSecondary,
  unwrappedOnly,
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
    first = await keyFile(path, async () => true, hsmWrappings(settings)).load();
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
    await expect(load(unwrappedOnly)).rejects.toMatchObject({
      message: expect.stringContaining("cannot be opened"),
      cause: { message: expect.stringContaining("is wrapped by pkcs11:patient-index") },
    });
  });

  it("are the same at every start", async () => {
    expect(secretsOf(await load(hsmWrappings(settings)))).toEqual(secretsOf(first));
  });

  it("get a secondary one that is wrapped too", async () => {
    const keyId = await addSecondary(path, hsmWrappings(settings));
    const held = await load(hsmWrappings(settings));
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
    ["with another PIN", { pin: "9999" }, "refuses the PIN for the token mpi: look at MPI_PKCS11_PIN"],
    ["on a token that is not there", { tokenLabel: "elsewhere" }, "no token of the label elsewhere"],
    ["without the library of the HSM", { module: "/nowhere/libsofthsm2.so" }, "nowhere"],
  ])("do not load %s", async (_name, wrong, message) => {
    await expect(load(hsmWrappings({ ...settings, ...wrong }))).rejects.toMatchObject({
      cause: { message: expect.stringContaining(message) },
    });
  });

  it("do not load by a key that is not in the HSM any more", async () => {
    const lost = join(folder, "lost.json");
    const { primary } = JSON.parse(await readFile(path, "utf8"));
    const text = JSON.stringify({ primary: { ...primary, wrapping: "pkcs11:gone" } });
    await writeFile(lost, text, { mode: 0o600 });
    await expect(keyFile(lost, async () => false, hsmWrappings(settings)).load()).rejects.toMatchObject({
      cause: { message: expect.stringContaining("no key of the label gone") },
    });
    await expect(addSecondary(lost, hsmWrappings({ ...settings, keyLabel: "gone" }))).rejects.toThrow(
      "no key of the label gone",
    );
    expect(await readFile(lost, "utf8")).toBe(text);
  });

  it("stand beside keys that nobody wrapped, and beside those of another key of the HSM", async () => {
    const moved = join(folder, "moved.json");
    const plain = await keyFile(moved, async () => true).load();
    const wrapped = await addSecondary(moved, hsmWrappings(settings));
    await promoteSecondary(moved, wrapped);
    const renamed = hsmWrappings({ ...settings, keyLabel: "another" });
    const again = await addSecondary(moved, renamed);
    const held = await keyFile(moved, async () => false, renamed).load();
    expect([held.primary, held.secondary, ...held.retired].map((key) => key?.keyId)).toEqual([
      wrapped,
      again,
      plain.primary.keyId,
    ]);
    expect(secretsOf({ primary: held.retired[0] ?? held.primary })).toEqual(secretsOf(plain));
  });

  it("are not added to a file that could not be loaded then", async () => {
    const before = await readFile(path, "utf8");
    const lone = join(folder, "lone.json");
    const { secondary: _secondary, ...others } = JSON.parse(before);
    await writeFile(lone, JSON.stringify(others), { mode: 0o600 });
    await expect(addSecondary(lone)).rejects.toThrow("is wrapped by pkcs11:patient-index");
    expect(JSON.parse(await readFile(lone, "utf8"))).toEqual(others);
  });

  function load(wrappings: KeyWrappings): Promise<HeldKeys> {
    return keyFile(path, async () => false, wrappings).load();
  }
});

function secretsOf({ primary }: Pick<HeldKeys, "primary">): unknown {
  return { keyId: primary.keyId, secrets: [primary.encryption, primary.hmac].map((key) => key.export()) };
}
