import { readFile } from "node:fs/promises";
import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, onServer, type TestDatabase } from "../database.ts";

interface Distributed {
  readonly name: string;
  readonly column: string;
  readonly beside: string;
}

/** What a cluster has and one server lacks: it notes what it is asked to distribute. */
const CITUS_STAND_IN = `
  CREATE SCHEMA stand_in;
  CREATE TABLE stand_in.pg_dist_partition (logicalrel regclass PRIMARY KEY, by_column text, beside text);
  CREATE FUNCTION stand_in.create_distributed_table(of regclass, by_column text, colocate_with text)
    RETURNS void LANGUAGE sql AS 'INSERT INTO stand_in.pg_dist_partition VALUES ($1, $2, $3)';`;

let database: TestDatabase;
let script: string;

beforeAll(async () => {
  database = await createTestDatabase();
  script = await readFile("prisma/distribute.sql", "utf8");
  await onServer(database.url, (client) => client.query(CITUS_STAND_IN));
});

afterAll(() => database.drop());

function inCluster<T>(action: (client: pg.Client) => Promise<T>): Promise<T> {
  return onServer(database.url, async (client) => {
    await client.query("SET search_path TO public, stand_in");
    return await action(client);
  });
}

async function distribution(): Promise<Distributed[]> {
  const { rows } = await inCluster((client) =>
    client.query<Distributed>(
      `SELECT logicalrel::text AS name, by_column AS "column", beside FROM stand_in.pg_dist_partition`,
    ),
  );
  return rows;
}

it("is refused where there is no cluster", async () => {
  await expect(onServer(database.url, (client) => client.query(script))).rejects.toThrow(
    "no extension citus",
  );
});

it("is refused as a whole while a table has no line", async () => {
  await inCluster((client) => client.query("CREATE TABLE letter (id bigint PRIMARY KEY)"));
  await expect(inCluster((client) => client.query(script))).rejects.toThrow("no line for: letter");
  expect(await distribution()).toEqual([]);
  await inCluster((client) => client.query("DROP TABLE letter"));
});

it("has a line for every table, puts what is of a patient beside the patient, and may be run again", async () => {
  await inCluster((client) => client.query(script));
  const once = await distribution();
  expect(once).toContainEqual({ name: "patient", column: "id", beside: "none" });
  expect(once).toContainEqual({ name: "outbox", column: "patient_id", beside: "patient" });
  await inCluster((client) => client.query(script));
  expect(await distribution()).toEqual(once);
});

it("finds each key to contain the column that its table is distributed by, and no reference or trigger across", async () => {
  const { rows } = await inCluster((client) =>
    client.query<{ table: string; wrong: string }>(`
      SELECT logicalrel::text AS "table", 'no primary key' AS wrong FROM stand_in.pg_dist_partition
      WHERE NOT EXISTS (SELECT FROM pg_index WHERE indrelid = logicalrel AND indisprimary)
      UNION ALL
      SELECT logicalrel::text, indexrelid::regclass::text FROM stand_in.pg_dist_partition JOIN pg_index ON indrelid = logicalrel
      WHERE indisunique AND (SELECT attnum FROM pg_attribute WHERE attrelid = logicalrel AND attname = by_column) <> ALL (indkey)
      UNION ALL
      SELECT logicalrel::text, tgname::text FROM stand_in.pg_dist_partition JOIN pg_trigger ON tgrelid = logicalrel
      WHERE NOT tgisinternal
      UNION ALL
      SELECT logicalrel::text, conname::text FROM stand_in.pg_dist_partition JOIN pg_constraint ON conrelid = logicalrel
      WHERE contype = 'f' AND NOT (confrelid = 'patient'::regclass
        AND conkey = ARRAY[(SELECT attnum FROM pg_attribute WHERE attrelid = logicalrel AND attname = by_column)])`),
  );
  expect(rows).toEqual([]);
});

it("keeps to integers that are no serials for its keys", async () => {
  const { rows } = await inCluster((client) =>
    client.query(`
      SELECT attrelid::regclass::text AS "table", attname FROM pg_index
      JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
      JOIN stand_in.pg_dist_partition ON logicalrel = indrelid
      WHERE indisprimary AND (atthasdef OR attidentity <> '')`),
  );
  expect(rows).toEqual([]);
});
