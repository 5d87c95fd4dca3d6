import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addSecondary, keyFile, promoteSecondary } from "../../src/identifier-index/index.ts";

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

  it("is changed by one at a time", async () => {
    await load(true);
    const added = await Promise.allSettled([addSecondary(path), addSecondary(path), addSecondary(path)]);
    const kept = added.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(kept).toEqual([(await load(false)).secondary?.keyId]);
  });
});

function load(mayCreate: boolean) {
  return keyFile(path, async () => mayCreate).load();
}
