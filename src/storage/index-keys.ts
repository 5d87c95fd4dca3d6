import { type IndexKeys, keysInUse } from "../identifier-index/index.ts";
import type { Database } from "./database.ts";

/** Whether nothing in the database was sealed yet, so that new keys can be made. */
export async function isUnsealed(database: Database): Promise<boolean> {
  return (await database.indexKey.count()) === 0;
}

/**
 * Records the keys that this process seals with. The database refuses to be served with other keys than those that
 * its values were sealed under.
 */
export async function recordIndexKeys(database: Database, keys: IndexKeys, now: Date): Promise<void> {
  const held = new Set(keysInUse(keys).map((key) => key.keyId));
  const used = await database.indexKey.findMany({ select: { keyId: true } });
  if (used.some(({ keyId }) => !held.has(keyId))) {
    throw new Error(
      "The database holds identifiers sealed under a key that the key file does not have. " +
        "Start with the key file that belongs to this database.",
    );
  }
  await database.indexKey.createMany({
    data: [{ keyId: keys.primary.keyId, state: "primary", createdAt: now }],
    skipDuplicates: true,
  });
}
