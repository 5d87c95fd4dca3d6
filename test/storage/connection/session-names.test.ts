import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openDatabase } from "../../../src/storage/connection/database.ts";
import { openJobQueue, openPatientLoader } from "../../../src/storage/index.ts";
import { applyMigrations } from "../../../src/storage/migrations.ts";
import { createTestDatabase, onServer, type TestDatabase } from "../../database.ts";
import { fixedKeys, newIndexKeys } from "../index-keys.ts";
import { somebody } from "../patients/store.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

it("sessions in the database say whose they are and what for", async () => {
  const { url } = database;
  const served = openDatabase({ url, poolSize: 1, preparedStatements: true, onConnectionError: () => {} });
  const loader = openPatientLoader({
    url,
    database: served,
    keys: fixedKeys(newIndexKeys()),
    connections: 1,
  });
  const queue = await openJobQueue({ url, onError: () => undefined });
  try {
    await served.$connect();
    await loader.load([somebody()], NOW);
    expect(await namesOfSessions(url)).toEqual([
      "patient-index",
      "patient-index loads",
      "patient-index queue of jobs",
    ]);
  } finally {
    await queue.close();
    await loader.close();
    await served.$disconnect();
  }
});

it("so does the session of a migration, unless the address of the database or the environment has a name", async () => {
  const directory = await mkdtemp(join(tmpdir(), "migrations-"));
  const { url, drop } = await createTestDatabase();
  const migrate = async (address: string, name: string) => {
    await mkdir(join(directory, name));
    await writeFile(
      join(directory, name, "migration.sql"),
      "INSERT INTO seen VALUES (current_setting('application_name'))",
    );
    await applyMigrations(address, { directory, log: { info: () => undefined } });
  };
  try {
    await onServer(url, (client) =>
      client.query(`DELETE FROM "_prisma_migrations"; CREATE TABLE seen (name text)`),
    );
    await migrate(url, "1");
    await migrate(`${url}?application_name=mine`, "2");
    vi.stubEnv("PGAPPNAME", "ours");
    await migrate(url, "3");
    const { rows } = await onServer(url, (client) => client.query("SELECT name FROM seen ORDER BY name"));
    expect(rows).toEqual([{ name: "mine" }, { name: "ours" }, { name: "patient-index migrations" }]);
  } finally {
    vi.unstubAllEnvs();
    await drop();
    await rm(directory, { recursive: true });
  }
});

async function namesOfSessions(url: string): Promise<string[]> {
  const { rows } = await onServer(url, (client) =>
    client.query<{ name: string }>(
      `SELECT DISTINCT application_name AS name FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
       ORDER BY name`,
    ),
  );
  return rows.map(({ name }) => name);
}
