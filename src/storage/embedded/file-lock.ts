import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/** A held lock. The kernel lets it go when the process that holds it dies, however it dies. */
export interface FileLock {
  release(): void;
}

const RETRY_MS = 20;
const SQLITE_BUSY = 5;
/** Otherwise there would be a file for what is to be undone, which a full disk has no room for. */
const WITHOUT_FILES = "PRAGMA journal_mode = MEMORY";

/**
 * Waits until nobody else holds the lock on the file, then takes it.
 * @throws Error when it is still held after `timeoutMs`
 */
export async function lockExclusive(path: string, timeoutMs: number): Promise<FileLock> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const lock = tryLockExclusive(path);
    if (lock !== undefined) return lock;
    if (Date.now() > deadline) throw new Error(`${path} has been locked by another process for too long`);
    await sleep(RETRY_MS);
  }
}

/** Takes the lock when nobody holds it, shared or alone; undefined otherwise. */
export function tryLockExclusive(path: string): FileLock | undefined {
  return lock(path, "BEGIN EXCLUSIVE");
}

/** Takes the lock beside others that share it. */
export function lockShared(path: string): FileLock {
  const held = lock(path, "BEGIN; SELECT count(*) FROM sqlite_schema");
  if (held === undefined) throw new Error(`${path} is locked by another process`);
  return held;
}

// Node has no lock on files of its own. SQLite, which it carries, has one that holds on Linux, macOS and
// Windows alike: an open transaction on an empty database.
function lock(path: string, statement: string): FileLock | undefined {
  makeMissing(path);
  const database = new DatabaseSync(path);
  try {
    database.exec(`${WITHOUT_FILES}; ${statement}`);
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** A file that is there is not opened: to close it would let go of all that this process has locked in it. */
function makeMissing(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
