import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lockShared, tryLockExclusive } from "../../src/storage/embedded/file-lock.ts";

it("a lock on a file keeps others from it, and writes nothing, so that it is had on a full disk too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lock-"));
  onTestFinished(() => rm(folder, { recursive: true }));
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
