import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { type HeldKeys, type IndexKeys, KeyMissing } from "../../../src/identifier-index/index.ts";
import { patientStore } from "../../../src/storage/index.ts";
import { recordIndexKeys } from "../../../src/storage/index-keys/key-records.ts";
import { onServer } from "../../database.ts";
import { fixedKeys, newIndexKey, newIndexKeys } from "../index-keys.ts";
import { openStore, type StoreUnderTest, somebody } from "./store.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");
const UNREADABLE = expect.objectContaining({ message: "INDEX_DECRYPTION_FAILED" });

let opened: StoreUnderTest;

beforeAll(async () => {
  opened = await openStore();
});

afterAll(async () => {
  await opened.close();
});

describe("sealed identifiers", () => {
  it("do not open when a bit of them was changed, and only theirs do not", async () => {
    const [broken, whole] = [await create(), await create()];
    await run(
      "UPDATE identifier_value SET ciphertext = set_bit(ciphertext, 300, 1 - get_bit(ciphertext, 300)) WHERE patient_id = $1",
      broken.id,
    );
    await expect(opened.store.read(BigInt(broken.id ?? ""))).rejects.toEqual(UNREADABLE);
    expect((await opened.store.read(BigInt(whole.id ?? "")))?.patient.identifier).toEqual(whole.identifier);
  });

  it("do not open in the place of another", async () => {
    const [robbed, thief] = [await create(), await create()];
    await run(
      "UPDATE identifier_value SET ciphertext = (SELECT ciphertext FROM identifier_value WHERE patient_id = $2) WHERE patient_id = $1",
      thief.id,
      robbed.id,
    );
    await expect(opened.store.read(BigInt(thief.id ?? ""))).rejects.toEqual(UNREADABLE);
  });

  it("do not open without their row, nor with other keys", async () => {
    const patient = await create();
    const stranger = patientStore(opened.database, fixedKeys(newIndexKeys()));
    await expect(stranger.read(BigInt(patient.id ?? ""))).rejects.toEqual(UNREADABLE);
    await run("DELETE FROM identifier_value WHERE patient_id = $1", patient.id);
    await expect(opened.store.read(BigInt(patient.id ?? ""))).rejects.toEqual(UNREADABLE);
  });

  it("are looked up and unique under both keys while there are two", async () => {
    const patient = await create();
    const both = patientStore(opened.database, fixedKeys({ ...opened.keys, secondary: newIndexKey() }));
    const value = patient.identifier[0]?.value ?? "";
    expect(await both.holders([{ value }])).toEqual([BigInt(patient.id ?? "")]);
    const fresh = await both.create(somebody(), NOW);
    expect(await opened.store.holders([{ value: fresh.identifier[0]?.value ?? "" }])).toEqual([
      BigInt(fresh.id ?? ""),
    ]);
  });
});

describe("a database", () => {
  it("is served with the keys it was sealed with, and with no others", async () => {
    await recordIndexKeys(opened.database, held(opened.keys), NOW);
    await recordIndexKeys(opened.database, held(opened.keys), NOW);
    await expect(recordIndexKeys(opened.database, held(newIndexKeys()), NOW)).rejects.toThrow(KeyMissing);
  });

  it("is served by a process that has to wait for another one that looks at the keys", async () => {
    await recordIndexKeys(opened.database, held(opened.keys), NOW);
    await onServer(opened.databaseUrl, async (other) => {
      await other.query("BEGIN");
      await other.query("SELECT name FROM lease WHERE name = 'index-keys' FOR UPDATE");
      const recorded = recordIndexKeys(opened.database, held(opened.keys), NOW);
      const failure = recorded.catch((cause: unknown) => cause);
      await delay(6_000);
      await other.query("COMMIT");
      expect(await failure).toBeUndefined();
    });
  });

  it("is looked through for what a key has sealed while nobody is kept from the states of the keys", async () => {
    await recordIndexKeys(opened.database, held(opened.keys), NOW);
    await run("UPDATE index_key SET check_ciphertext = NULL, check_hmac = NULL");
    await withoutValues(async (client) => {
      const recorded = recordIndexKeys(opened.database, held(opened.keys), NOW);
      await expect.poll(() => waiting(client)).toBe(1);
      await client.query("SELECT name FROM lease WHERE name = 'index-keys' FOR UPDATE NOWAIT");
      await client.query("COMMIT");
      await recorded;
    });
    await expect(
      recordIndexKeys(
        opened.database,
        held({ primary: { ...newIndexKey(), keyId: opened.keys.primary.keyId } }),
        NOW,
      ),
    ).rejects.toThrow(KeyMissing);
  });

  it("is not looked through for a key that joins, under which nothing is sealed yet", async () => {
    const secondary = newIndexKey();
    await recordIndexKeys(opened.database, held(opened.keys), NOW);
    await run(
      "INSERT INTO index_key (key_id, state, created_at) VALUES ($1, 'joining', now())",
      secondary.keyId,
    );
    await withoutValues(() => recordIndexKeys(opened.database, held({ ...opened.keys, secondary }), NOW));
    const another = { ...newIndexKey(), keyId: secondary.keyId };
    await expect(
      recordIndexKeys(opened.database, held({ ...opened.keys, secondary: another }), NOW),
    ).rejects.toThrow(KeyMissing);
  });
});

/** Does work while nobody can read the sealed values. */
async function withoutValues(work: (client: pg.Client) => Promise<void>): Promise<void> {
  await onServer(opened.databaseUrl, async (client) => {
    await client.query("BEGIN");
    // Work that wants to read them all the same fails the test, and does not hang it.
    await client.query("SET LOCAL idle_in_transaction_session_timeout = '60s'");
    await client.query("LOCK TABLE identifier_value");
    await work(client);
    await client.query("COMMIT");
  });
}

/** How many statements wait for the sealed values. */
async function waiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_locks WHERE relation = 'identifier_value'::regclass AND NOT granted",
  );
  return rows[0]?.n ?? 0;
}

function held(keys: IndexKeys): HeldKeys {
  return { ...keys, retired: [] };
}

async function create(): Promise<Patient> {
  return await opened.store.create(somebody(), NOW);
}

async function run(statement: string, ...parameters: unknown[]): Promise<void> {
  await onServer(opened.databaseUrl, (client) => client.query(statement, parameters));
}
