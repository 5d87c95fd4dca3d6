import { randomUUID } from "node:crypto";
import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { KeyProvider } from "./index-keys.ts";
import { type KeyWrapping, unwrapped } from "./key-wrapping.ts";
import { newStoredKey, openStoredKeys, type StoredKeys } from "./stored-keys.ts";

/**
 * Keys in a file of mode 0600, made when `mayCreate` says that nothing was sealed yet.
 * A file that is missing later is a loss that no new key can make good, so it stops the start.
 */
export function keyFile(
  path: string,
  mayCreate: () => Promise<boolean>,
  wrapping: KeyWrapping = unwrapped,
): KeyProvider {
  return {
    async load() {
      const stored = (await readStoredKeys(path)) ?? (await create(path, mayCreate, wrapping));
      try {
        return await openStoredKeys(stored, wrapping);
      } catch (cause) {
        throw new Error(`The key file ${path} does not hold keys that can be used.`, { cause });
      }
    },
  };
}

/** Puts a new secondary key into the file; answers with its id. Refused while there is one already. */
export async function addSecondary(path: string, wrapping: KeyWrapping = unwrapped): Promise<string> {
  const secondary = await newStoredKey(wrapping);
  await changeStoredKeys(path, (stored) => {
    if (stored.secondary) {
      throw new Error(
        `The key file has a secondary key already: ${stored.secondary.keyId}. Rotate to it and promote it first.`,
      );
    }
    return { ...stored, secondary };
  });
  return secondary.keyId;
}

/** Makes the secondary key the primary one, which it has become in the database; the one before is kept as retired. */
export async function promoteSecondary(path: string, keyId: string): Promise<void> {
  await changeStoredKeys(path, ({ primary, secondary, retired = [] }) => {
    if (secondary?.keyId !== keyId) throw new Error(`The secondary key of the key file is not ${keyId}.`);
    return { primary: secondary, retired: [...retired, primary] };
  });
}

async function create(
  path: string,
  mayCreate: () => Promise<boolean>,
  wrapping: KeyWrapping,
): Promise<StoredKeys> {
  if (!(await mayCreate())) {
    throw new Error(
      `The key file ${path} is missing, and the database holds values sealed with its keys. ` +
        "Put the file back; without it no identifier can be read.",
    );
  }
  await mkdir(dirname(path), { recursive: true });
  await wrapping.prepare();
  const temporary = await writeTemporary(path, { primary: await newStoredKey(wrapping) });
  try {
    // Never over a file that another process made meanwhile.
    await link(temporary, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
  } finally {
    await rm(temporary);
  }
  const made = await readStoredKeys(path);
  if (!made) throw new Error(`The key file ${path} was removed while it was made.`);
  return made;
}

/** Undefined when there is no file; refused when others than its owner may read it. */
async function readStoredKeys(path: string): Promise<StoredKeys | undefined> {
  const text = await readOwn(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as StoredKeys;
  } catch (cause) {
    throw new Error(`The key file ${path} does not hold keys.`, { cause });
  }
}

async function readOwn(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, "r");
    try {
      const { mode } = await file.stat();
      if (process.platform !== "win32" && (mode & 0o077) !== 0) {
        throw new Error(`Others than its owner have rights on it: chmod 600 ${path}`);
      }
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`The key file ${path} cannot be read.`, { cause });
  }
}

async function changeStoredKeys(path: string, change: (stored: StoredKeys) => StoredKeys): Promise<void> {
  const lock = `${path}.lock`;
  // Two changes at once would lose the key of one of them.
  await (await open(lock, "wx", 0o600)).close();
  try {
    const stored = await readStoredKeys(path);
    if (!stored) throw new Error(`There is no key file ${path}.`);
    await rename(await writeTemporary(path, change(stored)), path);
  } finally {
    await rm(lock);
  }
}

/** Durable before it gets its name. */
async function writeTemporary(path: string, stored: StoredKeys): Promise<string> {
  const temporary = `${path}.${randomUUID()}`;
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${JSON.stringify(stored, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
}
