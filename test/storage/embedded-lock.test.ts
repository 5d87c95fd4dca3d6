import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tryLockExclusive } from "../../src/storage/embedded/file-lock.ts";

const MODULE = join(import.meta.dirname, "..", "..", "src", "storage", "embedded", "file-lock.ts");

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "embedded-lock-"));
});

afterAll(() => rm(folder, { recursive: true }));

it("a lock stays held, though its own process asks for it once more, until it is released", () => {
  const path = join(folder, "lock");
  const held = tryLockExclusive(path);
  expect(isFreeElsewhere(path)).toBe(false);
  expect(tryLockExclusive(path)).toBeUndefined();
  expect(isFreeElsewhere(path)).toBe(false);
  held?.release();
  expect(isFreeElsewhere(path)).toBe(true);
});

/** Whether another process gets the lock. */
function isFreeElsewhere(path: string): boolean {
  const program = `
    const { tryLockExclusive } = await import(${JSON.stringify(MODULE)});
    process.exitCode = tryLockExclusive(${JSON.stringify(path)}) ? 0 : 7;`;
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", program]);
  expect([0, 7]).toContain(status);
  return status === 0;
}
