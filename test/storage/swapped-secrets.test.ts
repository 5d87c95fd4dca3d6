import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";
import { openAuditTrail, openStorage, patientStore, type Storage } from "../../src/storage/index.ts";
import { createTestDatabase, onServer, type TestDatabase } from "../database.ts";
import { somebody } from "./patients/store.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const FORGET_CHECKS = "UPDATE index_key SET check_ciphertext = NULL, check_hmac = NULL";

type Secret = "encryption" | "hmac";
type Stored = { keyId: string } & Record<Secret, string>;

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "swapped-secrets-"));
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

describe.each<Secret>(["encryption", "hmac"])(
  "a key file with another %s secret under the same id",
  (secret) => {
    it("is refused by the id of the key, and the right one is taken", async () => {
      await started();
      const { keyId, restore } = await swap(secret);
      await expect(started()).rejects.toThrow(`The key ${keyId} of this process has the id of a key`);
      await restore();
      await started();
    });

    it("is refused where an earlier version has served, by what that has stored", async () => {
      await started((storage) => patientStore(storage.database, storage.keys).create(somebody(), NOW));
      await onServer(database.url, (client) => client.query(FORGET_CHECKS));
      const { keyId, restore } = await swap(secret);
      await expect(started()).rejects.toThrow(keyId);
      await restore();
      await started();
      expect(await checked()).toEqual([true]);
      await swap(secret);
      await expect(started()).rejects.toThrow(keyId);
    });
  },
);

describe("the check of a key from an earlier version", () => {
  it("is made in spite of a damaged value, when the others open", async () => {
    await started(async ({ database: connected, keys }) => {
      const store = patientStore(connected, keys);
      for (let n = 0; n < 3; n++) await store.create(somebody(), NOW);
    });
    await onServer(database.url, (client) =>
      client.query(
        `${FORGET_CHECKS}; UPDATE identifier_value SET ciphertext = '\\x00' WHERE patient_id = (SELECT min(id) FROM patient)`,
      ),
    );
    await started();
    expect(await checked()).toEqual([true]);
  });

  it("is not made of a key that opens no key of the audit trail, where nothing else is stored", async () => {
    await started(({ database: connected, keys }) =>
      openAuditTrail(connected, keys, NOW, (cause) => {
        throw cause;
      }),
    );
    await onServer(database.url, (client) => client.query(FORGET_CHECKS));
    const { keyId, restore } = await swap("encryption");
    await expect(started()).rejects.toThrow(keyId);
    await restore();
    await started();
  });

  it("is made at once where nothing is stored", async () => {
    await started();
    await onServer(database.url, (client) => client.query(FORGET_CHECKS));
    await started();
    expect(await checked()).toEqual([true]);
  });
});

async function started(work: (storage: Storage) => Promise<unknown> = async () => undefined): Promise<void> {
  const settings = { ...parseSettings({}), databaseUrl: database.url, dataDirectory: folder };
  const storage = await openStorage(settings, quiet, () => undefined);
  try {
    await work(storage);
  } finally {
    await storage.close();
  }
}

/** Another secret in the key file; `restore` puts the one before back. */
async function swap(secret: Secret): Promise<{ keyId: string; restore: () => Promise<void> }> {
  const path = join(folder, "keys.json");
  const text = await readFile(path, "utf8");
  const { primary } = JSON.parse(text) as { primary: Stored };
  await writeFile(
    path,
    JSON.stringify({ primary: { ...primary, [secret]: randomBytes(32).toString("base64") } }),
  );
  return { keyId: primary.keyId, restore: () => writeFile(path, text) };
}

async function checked(): Promise<boolean[]> {
  return await onServer(database.url, async (client) => {
    const { rows } = await client.query<{ checked: boolean }>(
      "SELECT check_ciphertext IS NOT NULL AND check_hmac IS NOT NULL AS checked FROM index_key",
    );
    return rows.map((row) => row.checked);
  });
}
