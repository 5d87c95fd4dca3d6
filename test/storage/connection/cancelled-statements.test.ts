import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { underSignal } from "../../../src/call/current-call.ts";
import { type Database, openDatabase } from "../../../src/storage/connection/database.ts";
import { createTestDatabase, onServer, type TestDatabase } from "../../database.ts";
import { WayToDatabase } from "../../way-to-database.ts";

/** Far longer than a round takes, and less than it takes until a connection is given up. */
const LONGEST_ROUND_MS = 1_500;

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
    onConnectionError: () => undefined,
  });
});

afterEach(async () => {
  await database.$disconnect();
  await way.cut();
  await server.drop();
});

it("a cancel request that is late does not hit the next statement on its connection", async () => {
  await onServer(server.url, async (other) => {
    await other.query("SELECT pg_advisory_lock(7)");
    const caller = new AbortController();
    const abandoned = underSignal(
      caller.signal,
      () => database.$queryRaw`SELECT pg_advisory_xact_lock(7)::text`,
    );
    await expect.poll(() => runningLike("%pg_advisory_xact_lock%")).toEqual(["Lock"]);
    way.holdNew();
    caller.abort(new Error("The caller has hung up."));
    await expect.poll(() => way.open, { interval: 1 }).toBe(2);
    await other.query("SELECT pg_advisory_unlock(7)");
    const strangers = database.$queryRaw`SELECT pg_sleep(0.3)::text, 'stranger' AS whose`;
    await expect.poll(() => runningLike("%pg_advisory_xact_lock%"), { interval: 1 }).toEqual([]);
    way.letThrough();
    await expect(strangers).resolves.toMatchObject([{ whose: "stranger" }]);
    await abandoned;
  });
});

it("statements of others are never cancelled, however often callers hang up, and the connection stays", async () => {
  const backends = new Set<number>();
  const outcomes = { cancelled: 0, finished: 0 };
  let stoodStill = 0;
  for (let round = 0; round < 300; round++) {
    const startedAt = performance.now();
    const caller = new AbortController();
    const own = underSignal(caller.signal, () => database.$queryRaw`SELECT pg_sleep(0.001)::text`).then(
      () => outcomes.finished++,
      () => outcomes.cancelled++,
    );
    await delay(round % 3);
    caller.abort(new Error("The caller has hung up."));
    const rows = await database.$queryRaw<{ pid: number }[]>`
      SELECT pg_backend_pid() AS pid, count(*) FROM generate_series(1, 2000)`;
    for (const { pid } of rows) backends.add(pid);
    await own;
    if (performance.now() - startedAt > LONGEST_ROUND_MS) stoodStill++;
  }
  expect(outcomes.cancelled).toBeGreaterThan(0);
  expect(backends.size).toBeLessThanOrEqual(1 + stoodStill);
});

it("a database that does not answer is asked to cancel over one connection, and the statement ends", async () => {
  const { abandoned } = await hungUp(() => way.silence());
  await expect(abandoned).rejects.toThrow("Connection terminated");
  expect(way.mostOpen).toBe(2);
  way.letThrough();
  await expect(database.$queryRaw`SELECT 1 AS one`).resolves.toEqual([{ one: 1 }]);
});

it("a statement that cancel requests do not reach ends with its connection after some of them", async () => {
  const { abandoned } = await hungUp(() => way.hangUpOnNew());
  await expect(abandoned).rejects.toThrow("Connection terminated");
  expect(way.mostOpen).toBe(2);
  way.letThrough();
  await expect(database.$queryRaw`SELECT 1 AS one`).resolves.toEqual([{ one: 1 }]);
});

/** A long statement whose caller hangs up once something has happened to the way. */
async function hungUp(happen: () => void) {
  const caller = new AbortController();
  const abandoned = underSignal(caller.signal, () => database.$queryRaw`SELECT pg_sleep(60)::text`);
  await expect.poll(() => runningLike("%pg_sleep(60)%")).toContain("Timeout");
  happen();
  caller.abort(new Error("The caller has hung up."));
  return { abandoned };
}

/** What each session waits for that runs such a statement. */
async function runningLike(statement: string): Promise<string[]> {
  return await onServer(server.url, async (client) => {
    const { rows } = await client.query(
      "SELECT wait_event_type FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid() AND query LIKE $1",
      [statement],
    );
    return rows.map(({ wait_event_type }) => wait_event_type);
  });
}
