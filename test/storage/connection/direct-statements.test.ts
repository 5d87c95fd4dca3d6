import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Prisma } from "../../../prisma/gen/client.ts";
import { type Database, openDatabase } from "../../../src/storage/connection/database.ts";
import { isOutOfReach } from "../../../src/storage/connection/out-of-reach.ts";
import { sqlState, UNIQUE_VIOLATION } from "../../../src/storage/connection/sql-state.ts";
import { createTestDatabase, type TestDatabase } from "../../database.ts";

/** Prisma's own is five seconds. */
const patience = { maxWait: 60_000, timeout: 60_000 };

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = open(test.url);
});

afterAll(async () => {
  await database.$disconnect();
  await test.drop();
});

describe("a statement outside of a transaction gives what it gives within one", () => {
  const instant = new Date("2026-03-29T01:30:00.123Z");
  const bytes = new Uint8Array([0, 1, 254, 255]);

  it.each<[what: string, statement: Prisma.Sql]>([
    ["numbers", Prisma.sql`SELECT 1::int AS i, ${9007199254740993n}::bigint AS n, 0.5::float8 AS f`],
    ["instants, whatever the zone of the process", Prisma.sql`SELECT ${instant}::timestamp(3) AS at`],
    ["instants of whole seconds", Prisma.sql`SELECT '2026-03-29 01:30:00'::timestamp(3) AS at`],
    ["texts", Prisma.sql`SELECT ${"Õie {} \\ '\""}::text AS t, ''::text AS empty`],
    ["bytes", Prisma.sql`SELECT ${bytes}::bytea AS b, ''::bytea AS empty`],
    ["truth", Prisma.sql`SELECT ${true}::boolean AS yes, ${false}::boolean AS no`],
    ["nothing", Prisma.sql`SELECT ${null}::text AS t, ${null}::bigint AS n, ${null}::timestamp(3) AS at`],
    [
      "arrays",
      Prisma.sql`SELECT ${[1n, -2n]}::bigint[] AS n, ${["a", 'b"', ""]}::text[] AS t, '{}'::bigint[] AS none`,
    ],
    ["arrays of bytes", Prisma.sql`SELECT ${[bytes, bytes]}::bytea[] AS b, ${[3, 4]}::int[] AS i`],
    ["no rows", Prisma.sql`SELECT 1 AS one WHERE false`],
  ])("%s", async (_what, statement) => {
    const outside = await database.$queryRaw<unknown[]>(statement);
    const within = await database.$transaction(
      (transaction) => transaction.$queryRaw<unknown[]>(statement),
      patience,
    );
    expect(plain(outside)).toEqual(plain(within));
  });

  it("the number of rows that it wrote", async () => {
    const keys = [1n, 2n, 3n];
    const insert = (patientId: bigint) =>
      Prisma.sql`INSERT INTO block_key (key, patient_id) SELECT key, ${patientId} FROM unnest(${keys}::bigint[]) AS key`;
    await database.$transaction(async (transaction) => {
      expect(await transaction.$executeRaw(insert(1n))).toBe(3);
    }, patience);
    expect(await database.$executeRaw(insert(2n))).toBe(3);
  });
});

describe("a statement", () => {
  it("is put together from parts that are statements themselves", async () => {
    const part = Prisma.sql`${2}::int + ${3}::int`;
    expect(await database.$queryRaw`SELECT ${1}::int + ${part} AS sum`).toEqual([{ sum: 6 }]);
  });

  it("that is refused says why by its SQLSTATE", async () => {
    const insert = () => database.$executeRaw`INSERT INTO block_key (key, patient_id) VALUES (${7n}, ${7n})`;
    await insert();
    expect(await insert().catch(sqlState)).toBe(UNIQUE_VIOLATION);
  });

  it("that nobody is there to take is known as such", async () => {
    const nobody = open("postgresql://mpi@127.0.0.1:1/mpi");
    const error = await nobody.$queryRaw`SELECT 1`.catch((cause: unknown) => cause);
    await nobody.$disconnect();
    expect(isOutOfReach(error)).toBe(true);
  });
});

describe("a connection prepares", () => {
  let connection: Database;

  beforeEach(() => {
    connection = open(test.url, 1);
  });

  afterEach(() => connection.$disconnect());

  it("no statement that is too long, as callers may make it", async () => {
    await connection.$queryRaw(summing(2));
    await connection.$queryRaw(summing(2000));
    expect(await prepared(connection)).toContain(summing(2).text);
    expect(await prepared(connection)).not.toContain(summing(2000).text);
  });

  it("a limited number of statements, however many callers make, and always those that never differ", async () => {
    for (let terms = 1; terms <= 300; terms++) {
      await connection.$queryRaw(summing(terms));
      await connection.$transaction((transaction) => transaction.$queryRaw(summing(300 + terms)), patience);
    }
    await connection.$queryRaw`SELECT ${"after all others"}::text AS one`;
    const texts = await prepared(connection);
    expect(texts.length).toBeLessThan(520);
    expect(texts).toContain("SELECT $1::text AS one");
    expect(texts).toContain(summing(2).text);
    expect(await connection.$queryRaw(summing(600))).toEqual([{ sum: 600 }]);
  });
});

function open(url: string, poolSize = 2): Database {
  return openDatabase({ url, poolSize, preparedStatements: true, onConnectionError: () => undefined });
}

/** A statement with so many parts. */
function summing(terms: number): Prisma.Sql {
  const parts = Array.from({ length: terms }, () => Prisma.sql`${1}::int`);
  return Prisma.sql`SELECT ${Prisma.join(parts, " + ")} AS sum`;
}

/** The texts that the one connection has prepared. */
async function prepared(connection: Database): Promise<string[]> {
  const rows = await connection.$queryRaw<
    { statement: string }[]
  >`SELECT statement FROM pg_prepared_statements`;
  return rows.map(({ statement }) => statement);
}

/** Prisma gives bytes as Uint8Array and the driver as Buffer, which is one. */
function plain(rows: unknown[]): unknown {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row as object).map(([name, value]) => [name, plainValue(value)])),
  );
}

function plainValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  return Array.isArray(value) ? value.map(plainValue) : value;
}
