import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inventPeople } from "../../../src/invented-people/index.ts";
import { BLOCK_SCHEME, blocksOf, matchPatients } from "../../../src/matching/index.ts";
import { backfillBlockKeys } from "../../../src/storage/index.ts";
import { type PatientInit, verifiedPatient } from "../../patients/examples.ts";
import { interrupted } from "../interrupted.ts";
import { statementsOf } from "../linkage/statements.ts";
import { type MatchingUnderTest, openMatching } from "./matching-under-test.ts";

let opened: MatchingUnderTest;

beforeAll(async () => {
  opened = await openMatching();
});

afterAll(async () => {
  await opened.close();
});

interface KeyRow {
  readonly key: bigint;
  readonly id: bigint;
}

async function keysOf(id: string): Promise<bigint[]> {
  const rows = await opened.database.$queryRaw<KeyRow[]>`
    SELECT key, patient_id AS id FROM block_key WHERE patient_id = ${BigInt(id)} ORDER BY key`;
  return rows.map(({ key }) => key);
}

async function allKeys(): Promise<string[]> {
  const rows = await opened.database.$queryRaw<KeyRow[]>`SELECT key, patient_id AS id FROM block_key`;
  return rows.map(({ key, id }) => `${key} ${id}`).sort();
}

async function describeAndFind(described: PatientInit): Promise<(string | undefined)[]> {
  const resource = verifiedPatient({ identifier: [], telecom: [], address: [], ...described });
  const request = { resource, onlyCertainMatches: false, onlySingleMatch: false, count: 0 };
  return (await matchPatients(opened.matching, request)).matches.map(({ patient }) => patient.id);
}

describe("the keys of a patient", () => {
  it("are written with the patient, and follow its next version", async () => {
    const id = await opened.add(["fin/ni"], { birthDate: "1951-02-03" });
    const first = await opened.read(id);
    expect(new Set(await keysOf(id))).toEqual(new Set(blocksOf(first).keys));
    const next = {
      ...first,
      birthDate: "1951-02-04",
      name: verifiedPatient({ name: [{ family: "Saari" }] }).name,
    };
    await opened.store.replace(first, next, new Date());
    expect(new Set(await keysOf(id))).toEqual(new Set(blocksOf(next).keys));
    expect(await describeAndFind({ birthDate: "1951-02-04", name: [{ family: "Saari" }] })).toEqual([id]);
  });

  it("are not written for a version that was not", async () => {
    const id = await opened.add(["fin/ni"], { birthDate: "1952-02-03" });
    const [first, late] = [await opened.read(id), await opened.read(id)];
    await opened.store.replace(first, { ...first, gender: "male" }, new Date());
    const before = await keysOf(id);
    expect(await opened.store.replace(late, { ...late, birthDate: "1952-02-04" }, new Date())).toBe("stale");
    expect(await keysOf(id)).toEqual(before);
  });

  it("are the same for patients who are loaded in bulk and created one by one", async () => {
    await opened.load(inventPeople(5, 0, 300));
    for (const { id, patient } of (await opened.matches.next(0n, 400)).candidates) {
      expect(new Set(await keysOf(String(id)))).toEqual(new Set(blocksOf(patient).keys));
    }
  });
});

describe("filling in the keys of patients who were there before", () => {
  it("gives them the keys that writing gives, though an earlier scheme is done, in steps that go on where another process stopped", async () => {
    const before = await allKeys();
    const names = await opened.database.$queryRaw`SELECT count(*) FROM name_variant`;
    await opened.database.$executeRaw`TRUNCATE block_key, name_variant`;
    await opened.database.$executeRaw`
      INSERT INTO block_key_backfill (scheme, last_id, finished_at) VALUES (${BLOCK_SCHEME - 1}, 999999, now())`;
    const now = new Date();
    expect(await backfillBlockKeys(opened.database, "one", now)).toBe("more");
    expect(await backfillBlockKeys(opened.database, "two", now)).toBe("elsewhere");
    await opened.database.$executeRaw`UPDATE lease SET held_until = held_until - interval '1 minute'`;
    expect(await backfillBlockKeys(opened.database, "two", now)).toBe("done");
    expect(await backfillBlockKeys(opened.database, "one", now)).toBe("done");
    expect(await allKeys()).toEqual(before);
    expect(await opened.database.$queryRaw`SELECT count(*) FROM name_variant`).toEqual(names);
  });

  it("stay finished when somebody finishes them between another one's look and lease", async () => {
    await opened.database.$executeRaw`DELETE FROM block_key_backfill`;
    const [now, later] = [new Date(), new Date(Date.now() + 61_000)];
    const slow = interrupted(opened.database, 1, async () => {
      while ((await backfillBlockKeys(opened.database, "quick", now)) !== "done");
    });
    expect(await backfillBlockKeys(slow, "slow", later)).toBe("done");
    const finished = await opened.database.$queryRaw`SELECT finished_at AS at FROM block_key_backfill`;
    expect(finished).toEqual([{ at: now }]);
  });
});

it("$match takes as many statements however many it compares with", async () => {
  const one = await statementsOf(() =>
    describeAndFind({ birthDate: "1951-02-04", name: [{ family: "Saari" }] }),
  );
  const [patient] = inventPeople(5, 0, 1);
  const many = await statementsOf(() => describeAndFind({ name: patient?.name ?? [], birthDate: "1960" }));
  expect(many).toBeLessThanOrEqual(one + 2);
  expect(one).toBeLessThanOrEqual(6);
});
