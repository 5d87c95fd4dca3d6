import { afterAll, beforeAll, expect, it } from "vitest";
import { arrays, type Column, names, unnest } from "../../../src/storage/connection/row-arrays.ts";
import { createEmptyDatabase, onServer, type TestDatabase } from "../../database.ts";

interface Row {
  readonly truth: boolean | null;
  readonly bytes: Uint8Array | null;
  readonly large: bigint | null;
  readonly small: number | null;
  readonly text: string | null;
  readonly day: string | null;
  readonly instant: Date | null;
}

const COLUMNS: readonly Column<Row>[] = [
  ["truth", "boolean", (row) => row.truth],
  ["bytes", "bytea", (row) => row.bytes],
  ["large", "bigint", (row) => row.large],
  ["small", "int", (row) => row.small],
  ["text", "text", (row) => row.text],
  ["day", "date", (row) => row.day],
  ["instant", "timestamp", (row) => row.instant],
];

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});

afterAll(() => database.drop());

/** What the server reads, as text, whatever the zones of server and process are. */
function read(rows: readonly Row[]): Promise<Record<string, string | null>[]> {
  return onServer(database.url, async (client) => {
    await client.query("SET TimeZone TO 'Europe/Tallinn'");
    const texts = COLUMNS.map(([name]) => `${name}::text AS ${name}`).join(", ");
    const statement = `SELECT ${texts} FROM (SELECT ${names(COLUMNS)} FROM ${unnest(COLUMNS, 1)}) AS row`;
    return (await client.query(statement, arrays(COLUMNS, rows))).rows;
  });
}

it("rows of every type are read as they were meant, nulls among them", async () => {
  const rows: Row[] = [
    {
      truth: true,
      bytes: Uint8Array.of(0, 255, 92),
      large: -9_223_372_036_854_775_808n,
      small: -1,
      text: 'Õie "Ülo", {š}',
      day: "1899-12-31",
      instant: new Date("1969-07-20T20:17:40.123Z"),
    },
    { truth: null, bytes: null, large: null, small: null, text: null, day: null, instant: null },
    {
      truth: false,
      bytes: new Uint8Array(),
      large: 7n,
      small: 2_147_483_647,
      text: "",
      day: "0001-01-01",
      instant: new Date("2026-11-21T00:00:00Z"),
    },
  ];
  expect(await read(rows)).toEqual([
    {
      truth: "true",
      bytes: "\\x00ff5c",
      large: "-9223372036854775808",
      small: "-1",
      text: 'Õie "Ülo", {š}',
      day: "1899-12-31",
      instant: "1969-07-20 20:17:40.123",
    },
    { truth: null, bytes: null, large: null, small: null, text: null, day: null, instant: null },
    {
      truth: "false",
      bytes: "\\x",
      large: "7",
      small: "2147483647",
      text: "",
      day: "0001-01-01",
      instant: "2026-11-21 00:00:00",
    },
  ]);
});

it("no rows are none", async () => {
  expect(await read([])).toEqual([]);
});
