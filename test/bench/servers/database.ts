import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { seedPatients } from "../../../src/commands/seed/seed-patients.ts";
import { keyFile } from "../../../src/identifier-index/index.ts";
import { defaultDataDirectory, startEmbeddedServer } from "../../../src/storage/embedded/index.ts";
import {
  backfillBlockKeys,
  type Database,
  openStorage,
  publishChanges,
  type Storage,
} from "../../../src/storage/index.ts";
import { dropDatabase, onServer, withDatabase } from "../../on-server.ts";
import { recordEntries } from "./audit-entries.ts";

/** A database with invented people that one run may change as it likes. */
export interface BenchDatabase {
  readonly url: string;
  readonly keyFile: string;
  /** A folder of the benchmark's own. */
  readonly folder: string;
  /** What the server says it is. */
  readonly version: string;
  /** Removes the database; the one that it was copied from is kept for the next run. */
  drop(): Promise<void>;
}

/** The people that the databases are filled with. */
export const SEED = 1;

/** Patients of the yardstick have ids above this one; their identifiers are none that the service could open. */
export const YARDSTICK_IDS = 1_000_000_000_000;

const REPOSITORY = join(import.meta.dirname, "..", "..", "..");
const RUN_PREFIX = "mpi_bench_run_";
const FIRST = 500;
const TOLD_AFTER = 50_000;
const log = { info: () => undefined, warn: () => undefined, error: console.error };

type Say = (line: string) => void;

/**
 * Makes a database of so many patients, and with so many entries in its audit trail: the first time by filling one, then
 * by copying that.
 */
export async function prepareDatabase(patients: number, say: Say, auditEntries = 0): Promise<BenchDatabase> {
  const folder = join(process.env["MPI_DATA_DIR"] ?? defaultDataDirectory(REPOSITORY), "bench");
  await mkdir(folder, { recursive: true });
  const keys = join(folder, "keys.json");
  const server = await databaseServer(folder);
  try {
    const seeded = await seededDatabase(server.url, keys, patients, say);
    const base = await auditedDatabase(server.url, keys, seeded, auditEntries, say);
    const run = `${RUN_PREFIX}${process.pid}`;
    await onServer(server.url, async (client) => {
      await dropLeftBehind(client);
      await client.query(copyOf(base, run));
    });
    const url = withDatabase(server.url, run);
    return {
      url,
      keyFile: keys,
      folder,
      version: await onServer(
        url,
        async (client) => (await client.query("SHOW server_version")).rows[0].server_version,
      ),
      async drop() {
        await dropDatabase(server.url, run);
        await server.stop();
      },
    };
  } catch (cause) {
    await server.stop();
    throw cause;
  }
}

async function databaseServer(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const url = process.env["MPI_BENCH_DATABASE_URL"] ?? process.env["DATABASE_URL"];
  if (url !== undefined && url !== "") return { url, stop: async () => undefined };
  return startEmbeddedServer({ dataDirectory: folder, log });
}

/** Its name holds the key that its identifiers are sealed under: with another key file it would be of no use. */
async function seededDatabase(serverUrl: string, keys: string, patients: number, say: Say): Promise<string> {
  const { primary } = await keyFile(keys, async () => true).load();
  const name = `mpi_bench_${patients}_${primary.keyId.slice(0, 8)}`;
  for (;;) {
    await onServer(serverUrl, async (client) => {
      const { rows } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
      if (rows.length === 0) await client.query(`CREATE DATABASE "${name}" TEMPLATE template0`);
    });
    const found = await fill(withDatabase(serverUrl, name), keys, patients, say);
    if (found === patients) return name;
    say(`It holds ${found} patients, of another generation of invented people: it is made anew.`);
    await onServer(serverUrl, (client) => client.query(`DROP DATABASE "${name}" WITH (FORCE)`));
  }
}

/** A copy of a seeded database with so many entries in its trail, made when there is none; the seeded one itself for 0. */
async function auditedDatabase(
  serverUrl: string,
  keys: string,
  seeded: string,
  entries: number,
  say: Say,
): Promise<string> {
  if (entries === 0) return seeded;
  const name = `${seeded}_${entries}`;
  await onServer(serverUrl, async (client) => {
    const { rows } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rows.length === 0) await client.query(copyOf(seeded, name));
  });
  const url = withDatabase(serverUrl, name);
  const recorded = await withStorage(url, keys, (storage) => recordEntries(storage, entries));
  say(recorded > 0 ? `Recorded ${recorded} audit entries.` : `${entries} audit entries are there.`);
  if (recorded > 0) await onServer(url, (client) => client.query("VACUUM ANALYZE audit_event, audit_stream"));
  return name;
}

/** By files: a large database would go through the log of the server page by page otherwise. */
function copyOf(template: string, name: string): string {
  return `CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY FILE_COPY`;
}

async function withStorage<T>(url: string, keys: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const settings = { databaseUrl: url, dataDirectory: undefined, keyFile: keys, databasePool: 4 };
  const storage = await openStorage({ ...settings, preparedStatements: true }, log, () => undefined);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** Seeds what is missing; answers with how many patients there are then. */
async function fill(url: string, keys: string, patients: number, say: Say): Promise<number> {
  const stored = await withStorage(url, keys, async (storage) => {
    const added = await seedMissing(storage, patients, say);
    await settle(storage.database);
    return added;
  });
  say(stored > 0 ? `Seeded ${stored} people.` : `${patients} people are there from an earlier run.`);
  return await onServer(url, async (client) => {
    if (stored > 0) await client.query("VACUUM ANALYZE");
    return await countPatients(client);
  });
}

/** Who the first of them are tells what generation of invented people it is: the others are not looked for. */
async function seedMissing(storage: Storage, patients: number, say: Say): Promise<number> {
  const first = await seed(storage, Math.min(patients, FIRST), () => undefined);
  if (first === 0 && (await onServer(storage.url, countPatients)) === patients) return 0;
  return first + (await seed(storage, patients, say));
}

async function seed(storage: Storage, patients: number, say: Say): Promise<number> {
  let told = 0;
  const { stored } = await seedPatients(storage, {
    patients,
    seed: SEED,
    now: () => new Date(),
    onProgress: (done) => {
      if (done < told + TOLD_AFTER) return;
      told = done;
      say(`${done} of ${patients} people`);
    },
  });
  return stored;
}

async function countPatients(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>("SELECT count(*)::int AS n FROM patient");
  return rows[0]?.n ?? 0;
}

/** Does what a service would do beside the requests when it finds that many new patients. */
async function settle(database: Database): Promise<void> {
  while ((await backfillBlockKeys(database, "bench", new Date())) === "more");
  await publishChanges(database, new Date());
}

/** Databases of runs that were killed: nobody is connected to them. */
async function dropLeftBehind(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `SELECT datname FROM pg_database WHERE datname LIKE '${RUN_PREFIX}%'
       AND datname NOT IN (SELECT datname FROM pg_stat_activity WHERE datname IS NOT NULL)`,
  );
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS "${datname}"`);
}
