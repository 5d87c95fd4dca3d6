import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf } from "../../../src/matching/index.ts";
import { KnownNames } from "../../../src/storage/matching/known-names.ts";
import { onServer } from "../../database.ts";
import { verifiedPatient } from "../../patients/examples.ts";
import { openStore, type StoreUnderTest } from "../patients/store.ts";

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
  const rows = await rowsWritten(blocksOf(patient).forms);
  await onServer(opened.databaseUrl, async (other) => {
    const write = (row: Row | undefined) =>
      other.query("INSERT INTO name_variant (variant, form) VALUES ($1, $2)", [row?.variant, row?.form]);
    await other.query("BEGIN");
    await write(rows.at(-1));
    const created = opened.store.create(patient, new Date());
    await expect.poll(waitingForNames, { interval: 10 }).toBe(1);
    await write(rows.at(0));
    await other.query("COMMIT");
    expect((await created).id).toBeDefined();
  });
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

/** How many sessions wait for somebody else's names. */
async function waitingForNames(): Promise<number> {
  return await onServer(opened.databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%name_variant%'`,
    );
    return rows[0].n;
  });
}
