import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { HumanNameSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { blocksOf } from "../../../src/matching/index.ts";
import { KnownNames } from "../../../src/storage/blocking/known-names.ts";
import { unitOfWork } from "../../../src/storage/index.ts";
import { onServer } from "../../database.ts";
import { verifiedPatient } from "../../patients/examples.ts";
import { openStore, type StoreUnderTest, somebody } from "../patients/store.ts";
import { hadVictim, makeVictimOnce } from "../victim-once.ts";

let opened: StoreUnderTest;

beforeAll(async () => {
  opened = await openStore();
});

afterAll(async () => {
  await opened.close();
});

it("writers who have the same names in another order write them in the same one", async () => {
  const alike = ["anna", "hanna", "hannah"];
  expect(await rowsWritten(alike.toReversed())).toEqual(await rowsWritten(alike));
});

it("a patient is stored though the writing of the names was the victim of a deadlock", async () => {
  const patient = verifiedPatient({ name: [{ use: "official", family: "Quisling", given: ["Zebedeus"] }] });
  await makeVictimOnce(opened.databaseUrl, "name_variant");
  expect((await opened.store.create(patient, new Date())).id).toBeDefined();
  expect(await hadVictim(opened.databaseUrl)).toBe(true);
  for (const form of blocksOf(patient).forms) expect(await isKnown(form)).toBe(true);
});

it("units of work who have the same new names in another order do not wait for each other", async () => {
  const { database, ring, store } = opened;
  const bearing = (family: string) => ({
    ...somebody("fin"),
    name: [create(HumanNameSchema, { use: "official", family, given: [family] })],
  });
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const attempts = [0, 0];
  const creating = (place: number, names: readonly [string, string]) =>
    unitOfWork(database, ring).run(async () => {
      attempts[place] = (attempts[place] ?? 0) + 1;
      const [first, second] = names;
      await store.create(bearing(first), new Date());
      begun[place]?.resolve();
      await Promise.all(begun.map(({ promise }) => promise));
      await store.create(bearing(second), new Date());
    });
  await Promise.all([creating(0, ["Xantrup", "Ywarl"]), creating(1, ["Ywarl", "Xantrup"])]);
  expect(attempts).toEqual([1, 1]);
  const { rows } = await onServer(opened.databaseUrl, (client) =>
    client.query("SELECT DISTINCT form FROM name_variant WHERE form IN ('xantrup', 'ywarl') ORDER BY form"),
  );
  expect(rows).toEqual([{ form: "xantrup" }, { form: "ywarl" }]);
});

interface Row {
  readonly variant: bigint;
  readonly form: string;
}

/** What is written for names, in its order. */
async function rowsWritten(forms: Iterable<string>): Promise<Row[]> {
  const rows: Row[] = [];
  const names = new KnownNames(async (variants, written) => {
    rows.push(...variants.map((variant, place) => ({ variant, form: written[place] ?? "" })));
  });
  await names.add(forms);
  expect(rows.length).toBeGreaterThan(new Set(rows.map(({ form }) => form)).size);
  return rows;
}

async function isKnown(form: string): Promise<boolean> {
  return await onServer(opened.databaseUrl, async (client) => {
    const { rows } = await client.query("SELECT 1 FROM name_variant WHERE form = $1 LIMIT 1", [form]);
    return rows.length > 0;
  });
}
