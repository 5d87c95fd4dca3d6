import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PatientStore } from "../../../src/patients/index.ts";
import { patientStore } from "../../../src/storage/index.ts";
import { PID, verifiedPatient } from "../../patients/examples.ts";
import { fixedKeys, newIndexKey } from "../index-keys.ts";
import { openStore, type StoreUnderTest } from "./store.ts";

const NOW = new Date("2026-05-01T10:00:00.000Z");
const PAGE = { sort: [], page: 1, size: 20, maximum: 100 };
const SYSTEMS = ["fin/ni", "fin/ppn", "swe/ni"];

let opened: StoreUnderTest;
/** Values, each held by a patient under each system. */
const values: string[] = [];

beforeAll(async () => {
  opened = await openStore();
  for (let n = 0; n < 10; n++) {
    const value = randomUUID();
    values.push(value);
    for (const system of SYSTEMS) {
      const identifier = [{ system: `${PID}/${system}`, value }];
      await opened.store.create(verifiedPatient({ identifier }), NOW);
    }
  }
});

afterAll(async () => {
  await opened.close();
});

function storeOf(gatherLookups: boolean): PatientStore {
  return patientStore(opened.database, opened.ring, { gatherLookups });
}

/** What many ask for at once: known and unknown ids, and identifiers on each of their levels. */
async function askForMany(store: PatientStore) {
  const ids = [1n, 2n, 999_999n, 3n, 1n];
  const tokens = [...values, "nobody's"].flatMap((value) => [
    { country: "fin", type: "ni", value },
    { country: "fin", value },
    { value },
  ]);
  const [read, found, holders] = await Promise.all([
    Promise.all(ids.map((id) => store.read(id))),
    Promise.all(tokens.map((token) => store.search({ identifiers: [[token]] }, PAGE))),
    Promise.all(tokens.map((token) => store.holders([token]))),
  ]);
  return { read, found, holders };
}

describe("look-ups of many at once", () => {
  it("are answered alike together and one by one", async () => {
    const together = await askForMany(storeOf(true));
    expect(together).toEqual(await askForMany(storeOf(false)));
    expect(together.read.map((one) => one?.patient.id)).toEqual(["1", "2", undefined, "3", "1"]);
    expect(together.holders.slice(0, 3).map(({ length }) => length)).toEqual([1, 2, 3]);
    expect(together.holders.slice(-3)).toEqual([[], [], []]);
  });

  it("find by either key while keys rotate", async () => {
    const keys = { primary: newIndexKey(), secondary: opened.keys.primary };
    const store = patientStore(opened.database, fixedKeys(keys));
    const found = await Promise.all(
      values.map((value) => store.holders([{ country: "fin", type: "ni", value }])),
    );
    expect(found.map(({ length }) => length)).toEqual(values.map(() => 1));
    const searched = await Promise.all(
      values.map((value) => store.search({ identifiers: [[{ country: "fin", type: "ni", value }]] }, PAGE)),
    );
    expect(searched.map((one) => one !== "too-many" && one.total)).toEqual(values.map(() => 1));
  });
});
