import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  addSecondary,
  keyFile,
  promoteSecondary,
  removeSecondary,
} from "../../src/identifier-index/index.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "key-file-"));
  path = join(folder, "made", "keys.json");
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe("a key file", () => {
  it("is made once, for its owner alone, and gives the same keys ever after", async () => {
    const [one, other] = await Promise.all([load(true), load(true)]);
    expect(one.primary.keyId).toBe(other.primary.keyId);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await load(false)).primary.keyId).toBe(one.primary.keyId);
  });

  it("is not made anew when it is lost", async () => {
    await expect(load(false)).rejects.toThrow("is missing, and the database holds values");
  });

  it.skipIf(process.platform === "win32")("is refused when others may read it", async () => {
    await load(true);
    await chmod(path, 0o640);
    await expect(load(false)).rejects.toThrow("cannot be read");
  });

  it("gets one secondary key, which becomes the primary one and leaves the one before as retired", async () => {
    const { primary } = await load(true);
    const keyId = await addSecondary(path);
    await expect(addSecondary(path)).rejects.toThrow("has a secondary key already");
    await expect(promoteSecondary(path, "another")).rejects.toThrow("is not another");
    await promoteSecondary(path, keyId);
    const held = await load(false);
    expect([held.primary.keyId, held.secondary, held.retired.map((key) => key.keyId)]).toEqual([
      keyId,
      undefined,
      [primary.keyId],
    ]);
    expect(held.retired[0]?.encryption.equals(primary.encryption)).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("loses a secondary key again, unless it is used", async () => {
    await load(true);
    const text = await readFile(path, "utf8");
    await expect(removeSecondary(path, () => false)).rejects.toThrow("has no secondary key");
    const keyId = await addSecondary(path);
    await expect(removeSecondary(path, (used) => used === keyId)).rejects.toThrow(`uses the key ${keyId}`);
    expect((await load(false)).secondary?.keyId).toBe(keyId);
    expect(await removeSecondary(path, () => false)).toBe(keyId);
    expect(JSON.parse(await readFile(path, "utf8")).primary).toEqual(JSON.parse(text).primary);
    expect((await load(false)).secondary).toBeUndefined();
  });

  it("says what to do when a change of it was killed", async () => {
    await load(true);
    await writeFile(`${path}.lock`, "");
    await expect(addSecondary(path)).rejects.toThrow(`remove ${path}.lock and try again`);
  });

  it.each([
    ["", "not valid|Unexpected"],
    ["{}", "It has no primary key"],
    ["null", "It holds no keys"],
    ['{ "primary": { "keyId": "a" } }', "It has no primary key"],
    ['{ "primary": { "keyId": "", "encryption": "a", "hmac": "a" } }', "It has no primary key"],
    ['{ "primary": { "keyId": "a", "encryption": "a", "hmac": "a" }, "secondary": 1 }', "Its secondary key"],
    ['{ "primary": { "keyId": "a", "encryption": "a", "hmac": "a" }, "retired": [1] }', "A retired key"],
  ])("that holds %j is refused for what it holds", async (text, reason) => {
    await load(true);
    await writeFile(path, text);
    await expect(load(false)).rejects.toMatchObject({
      message: `The key file ${path} does not hold keys.`,
      cause: { message: expect.stringMatching(reason) },
    });
  });

  it("is refused as a folder when it is one", async () => {
    await mkdir(path, { recursive: true });
    await expect(load(false)).rejects.toMatchObject({ cause: { message: "It is a folder." } });
  });

  it("says which file it is when it cannot be made", async () => {
    // Its temporary name is longer than a name may be.
    const tooLong = join(folder, `${"k".repeat(240)}.json`);
    await expect(load(true, tooLong)).rejects.toMatchObject({
      message: `The key file ${tooLong} cannot be made.`,
      cause: { code: "ENAMETOOLONG" },
    });
  });

  it("is changed by one at a time", async () => {
    await load(true);
    const added = await Promise.allSettled([addSecondary(path), addSecondary(path), addSecondary(path)]);
    const kept = added.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(kept).toEqual([(await load(false)).secondary?.keyId]);
  });
});

function load(mayCreate: boolean, file = path) {
  return keyFile(file, async () => mayCreate).load();
}
