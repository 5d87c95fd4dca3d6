import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lockShared, tryLockExclusive } from "../../src/storage/embedded/file-lock.ts";

const MODULE = join(import.meta.dirname, "..", "..", "src", "storage", "embedded", "file-lock.ts");

it("a lock on a file keeps others from it, and writes nothing, so that it is had on a full disk too", async () => {
  const folder = await newFolder();
  const path = join(folder, "use.lock");

  const alone = tryLockExclusive(path);

  expect(tryLockExclusive(path)).toBeUndefined();
  expect(() => lockShared(path)).toThrow("locked by another process");
  expect(await readdir(folder)).toEqual(["use.lock"]);
  alone?.release();
  const shared = lockShared(path);
  expect(tryLockExclusive(path)).toBeUndefined();
  shared.release();
});

it("a lock stays held, though its own process asks for it once more, until it is released", async () => {
  const path = join(await newFolder(), "use.lock");
  const held = tryLockExclusive(path);
  expect(isFreeElsewhere(path)).toBe(false);
  expect(tryLockExclusive(path)).toBeUndefined();
  expect(isFreeElsewhere(path)).toBe(false);
  held?.release();
  expect(isFreeElsewhere(path)).toBe(true);
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lock-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Whether another process gets the lock. */
function isFreeElsewhere(path: string): boolean {
  const program = `
    const { tryLockExclusive } = await import(${JSON.stringify(MODULE)});
    process.exitCode = tryLockExclusive(${JSON.stringify(path)}) ? 0 : 7;`;
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", program]);
  expect([0, 7]).toContain(status);
  return status === 0;
}
