import { afterEach, beforeEach, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../src/storage/connection/database.ts";
import { askDatabase, isOutOfReach } from "../../../src/storage/index.ts";
import { inTransaction } from "../../../src/storage/transactions/transaction.ts";
import { createTestDatabase, onServer, type TestDatabase } from "../../database.ts";
import { WayToDatabase } from "../../way-to-database.ts";

/** Time enough for a connection and a statement, on a slow machine too. */
const ANSWER_MS = 2_000;

let server: TestDatabase;
let way: WayToDatabase;
let database: Database;

beforeEach(async () => {
  server = await createTestDatabase();
  way = await WayToDatabase.to(server.url);
  database = openDatabase({
    url: way.url,
    poolSize: 1,
    preparedStatements: true,
    answerMs: ANSWER_MS,
    onConnectionError: () => undefined,
  });
});

afterEach(async () => {
  await database.$disconnect();
  await way.cut();
  await server.drop();
});

it("a statement of no call whose answer does not come is given up, and the next has a new connection", async () => {
  await database.$queryRaw`SELECT 1`;
  way.loseAnswers();
  const failure = await failureOf(database.$queryRaw`SELECT 1`);
  expect(isOutOfReach(failure)).toBe(true);
  await expect(database.$queryRaw`SELECT 1 AS one`).resolves.toEqual([{ one: 1 }]);
});

it("a statement of no call that takes too long is cancelled in the server, and its connection stays", async () => {
  const before = await backend();
  const failure = await failureOf(database.$queryRaw`SELECT pg_sleep(60)::text`);
  expect(isOutOfReach(failure)).toBe(true);
  expect(await backend()).toBe(before);
});

it("a commit whose answer does not come is given up with its outcome unknown, and the next has a new connection", async () => {
  await onServer(server.url, (client) => client.query("CREATE TABLE written (n int)"));
  const failure = await failureOf(
    inTransaction(database, async (transaction) => {
      await transaction.$executeRaw`INSERT INTO written VALUES (1)`;
      way.loseAnswers();
    }),
  );
  expect(isOutOfReach(failure)).toBe(true);
  // The server heard all of it.
  await expect(database.$queryRaw`SELECT n FROM written`).resolves.toEqual([{ n: 1 }]);
});

it("the server ends a transaction that is left open, and not only when TCP notices", async () => {
  const limit = await inTransaction(
    database,
    (transaction) => transaction.$queryRaw`SHOW idle_in_transaction_session_timeout`,
  );
  expect(limit).toEqual([{ idle_in_transaction_session_timeout: "40s" }]);
  expect(await database.$queryRaw`SHOW idle_in_transaction_session_timeout`).toEqual([
    { idle_in_transaction_session_timeout: "0" },
  ]);
});

it("a server that has become a standby is not ready, and is left for the one that a new connection finds", async () => {
  await onServer(server.url, (client) => client.query("CREATE TABLE written (n int)"));
  await readOnly("on");
  const write = () => database.$executeRaw`INSERT INTO written VALUES (1)`;
  await expect(askDatabase(database)).rejects.toThrow("standby");
  expect(isOutOfReach(await failureOf(write()))).toBe(true);
  await readOnly("off");
  await expect(write()).resolves.toBe(1);
  await askDatabase(database);
});

/** What new connections find. */
async function readOnly(value: "on" | "off"): Promise<void> {
  const name = new URL(server.url).pathname.slice(1);
  await onServer(server.url, async (client) => {
    await client.query("SET default_transaction_read_only = off");
    await client.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}`);
  });
}

async function backend(): Promise<number | undefined> {
  const [row] = await database.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return row?.pid;
}

async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  return await Promise.resolve(work).then(
    () => {
      throw new Error("It did not fail.");
    },
    (cause: unknown) => cause,
  );
}
