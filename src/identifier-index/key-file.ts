import { randomUUID } from "node:crypto";
import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { KeyProvider } from "./index-keys.ts";
import { type KeyWrappings, unwrappedOnly } from "./key-wrapping.ts";
import {
  newStoredKey,
  openStoredKeys,
  parseStoredKeys,
  type StoredKeys,
  usesWrapping,
} from "./stored-keys.ts";

/**
 * Keys in a file of mode 0600, made when `mayCreate` says that nothing was sealed yet.
 * A file that is missing later is a loss that no new key can make good, so it stops the start.
 */
export function keyFile(
  path: string,
  mayCreate: () => Promise<boolean>,
  wrappings: KeyWrappings = unwrappedOnly,
): KeyProvider {
  return {
    async load() {
      const stored = (await readStoredKeys(path)) ?? (await create(path, mayCreate, wrappings));
      try {
        return await openStoredKeys(stored, wrappings);
      } catch (cause) {
        throw new Error(`The keys in the key file ${path} cannot be opened.`, { cause });
      }
    },
  };
}

/** Puts a new secondary key into the file; answers with its id. Refused while there is one already. */
export async function addSecondary(path: string, wrappings: KeyWrappings = unwrappedOnly): Promise<string> {
  let keyId = "";
  await changeStoredKeys(path, async (stored) => {
    if (stored.secondary) {
      throw new Error(
        `The key file has a secondary key already: ${stored.secondary.keyId}. Rotate to it and promote it first.`,
      );
    }
    // A key of the HSM that others are wrapped by is not made anew when it is gone.
    if (!usesWrapping(stored, wrappings.forNew)) await wrappings.forNew.prepare();
    const secondary = await newStoredKey(wrappings.forNew);
    keyId = secondary.keyId;
    const changed = { ...stored, secondary };
    // What could not be read at the next start is not written.
    await openStoredKeys(changed, wrappings);
    return changed;
  });
  return keyId;
}

/** Takes the secondary key out of the file again, without opening any; answers with its id. */
export async function removeSecondary(path: string, isUsed: (keyId: string) => boolean): Promise<string> {
  let keyId = "";
  await changeStoredKeys(path, async ({ secondary, ...others }) => {
    if (!secondary) throw new Error("The key file has no secondary key.");
    keyId = secondary.keyId;
    if (isUsed(keyId)) throw new Error(`The database uses the key ${keyId}, or has used it.`);
    return others;
  });
  return keyId;
}

/** Makes the secondary key the primary one, which it has become in the database; the one before is kept as retired. */
export async function promoteSecondary(path: string, keyId: string): Promise<void> {
  await changeStoredKeys(path, async ({ primary, secondary, retired = [] }) => {
    if (secondary?.keyId !== keyId) throw new Error(`The secondary key of the key file is not ${keyId}.`);
    return { primary: secondary, retired: [...retired, primary] };
  });
}

async function create(
  path: string,
  mayCreate: () => Promise<boolean>,
  { forNew }: KeyWrappings,
): Promise<StoredKeys> {
  if (!(await mayCreate())) {
    throw new Error(
      `The key file ${path} is missing, and the database holds values sealed with its keys. ` +
        "Put the file back; without it no identifier can be read.",
    );
  }
  await forNew.prepare();
  await make(path, { primary: await newStoredKey(forNew) });
  const made = await readStoredKeys(path);
  if (!made) throw new Error(`The key file ${path} was removed while it was made.`);
  return made;
}

async function make(path: string, stored: StoredKeys): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const temporary = await writeTemporary(path, stored);
    try {
      // Never over a file that another process made meanwhile.
      await link(temporary, path);
    } finally {
      await rm(temporary);
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return;
    throw new Error(`The key file ${path} cannot be made.`, { cause });
  }
}

/** Undefined when there is no file; refused when others than its owner may read it. */
async function readStoredKeys(path: string): Promise<StoredKeys | undefined> {
  const text = await readOwn(path);
  if (text === undefined) return undefined;
  try {
    return parseStoredKeys(text);
  } catch (cause) {
    throw new Error(`The key file ${path} does not hold keys.`, { cause });
  }
}

async function readOwn(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, "r");
    try {
      const found = await file.stat();
      if (found.isDirectory()) throw new Error("It is a folder.");
      if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
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

async function changeStoredKeys(
  path: string,
  change: (stored: StoredKeys) => Promise<StoredKeys>,
): Promise<void> {
  const lock = `${path}.lock`;
  // Two changes at once would lose the key of one of them.
  await makeLock(lock);
  try {
    const stored = await readStoredKeys(path);
    if (!stored) throw new Error(`There is no key file ${path}.`);
    await rename(await writeTemporary(path, await change(stored)), path);
  } finally {
    await rm(lock);
  }
}

async function makeLock(lock: string): Promise<void> {
  try {
    await (await open(lock, "wx", 0o600)).close();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    throw new Error(
      `The key file is being changed by somebody else, or a change of it was killed. When no other \`npm run keys\` runs, ` +
        `remove ${lock} and try again.`,
      { cause },
    );
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
  } catch (error) {
    await rm(temporary);
    throw error;
  } finally {
    await file.close();
  }
  return temporary;
}
