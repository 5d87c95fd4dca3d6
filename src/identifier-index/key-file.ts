import { createSecretKey, type KeyObject, randomBytes, randomUUID } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { HeldKeys, IndexKey, KeyProvider } from "./index-keys.ts";

interface StoredKey {
  keyId: string;
  encryption: string;
  hmac: string;
}

interface StoredKeys {
  primary: StoredKey;
  secondary?: StoredKey;
  retired?: StoredKey[];
}

/**
 * Keys in a file of mode 0600, made when `mayCreate` says that nothing was sealed yet.
 * A file that is missing later is a loss that no new key can make good, so it stops the start.
 */
export function keyFile(path: string, mayCreate: () => Promise<boolean>): KeyProvider {
  return {
    async load() {
      const text = (await readIfThere(path)) ?? (await create(path, mayCreate));
      return parseKeys(text, path);
    },
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`The key file ${path} cannot be read.`, { cause });
  }
}

async function create(path: string, mayCreate: () => Promise<boolean>): Promise<string> {
  if (!(await mayCreate())) {
    throw new Error(
      `The key file ${path} is missing, and the database holds values sealed with its keys. ` +
        "Put the file back; without it no identifier can be read.",
    );
  }
  const keys: StoredKeys = { primary: newKey() };
  await writeOnce(path, `${JSON.stringify(keys, null, 2)}\n`);
  return await readFile(path, "utf8");
}

function newKey(): StoredKey {
  return {
    keyId: randomUUID(),
    encryption: randomBytes(32).toString("base64"),
    hmac: randomBytes(32).toString("base64"),
  };
}

/** Durable before it is visible under its name, and never over a file that another process made meanwhile. */
async function writeOnce(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(temporary, 0o600);
  try {
    await link(temporary, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
  } finally {
    await rm(temporary);
  }
}

function parseKeys(text: string, path: string): HeldKeys {
  try {
    const { primary, secondary, retired = [] } = JSON.parse(text) as StoredKeys;
    return {
      primary: toKey(primary),
      ...(secondary && { secondary: toKey(secondary) }),
      retired: retired.map(toKey),
    };
  } catch (cause) {
    throw new Error(`The key file ${path} does not hold keys.`, { cause });
  }
}

function toKey(stored: StoredKey): IndexKey {
  if (typeof stored.keyId !== "string" || stored.keyId === "") throw new Error("A key has no keyId.");
  return { keyId: stored.keyId, encryption: secret(stored.encryption), hmac: secret(stored.hmac) };
}

function secret(base64: string): KeyObject {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length !== 32) throw new Error("A key is not 32 bytes long.");
  return createSecretKey(bytes);
}
