import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { fixedKeys, type HeldKeys, type IndexKeys, KeyMissing } from "../../../src/identifier-index/index.ts";
import { patientStore } from "../../../src/storage/index.ts";
import { recordIndexKeys } from "../../../src/storage/index-keys/key-records.ts";
import { onServer } from "../../database.ts";
import { newIndexKey, newIndexKeys } from "../index-keys.ts";
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
});

function held(keys: IndexKeys): HeldKeys {
  return { ...keys, retired: [] };
}

async function create(): Promise<Patient> {
  return await opened.store.create(somebody(), NOW);
}

async function run(statement: string, ...parameters: unknown[]): Promise<void> {
  await onServer(opened.databaseUrl, (client) => client.query(statement, parameters));
}
