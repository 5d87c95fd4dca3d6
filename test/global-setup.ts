import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import type { TestProject } from "vitest/node";
import { defaultDataDirectory, startEmbeddedServer } from "../src/storage/embedded/index.ts";
import { applyMigrations } from "../src/storage/migrations.ts";
import { onServer, withDatabase } from "./on-server.ts";

const ROOT = join(import.meta.dirname, "..");
const MIGRATIONS = join(ROOT, "prisma", "migrations");
const LEFT_BEHIND_MS = 3_600_000;
const SETUP_LOCK = 4242;

/**
 * A database that is dropped takes a checkpoint, and that some hundred files to the disk. What is lost with the power is
 * the cluster of tests alone: its folder may be deleted.
 */
const NOT_WAITING_FOR_DISK = { fsync: "off", full_page_writes: "off" };

const quiet = { info: () => undefined, error: console.error };

/**
 * One database server for the run: the embedded one, or that of MPI_TEST_DATABASE_URL, where the role needs
 * CREATEDB. The cluster and the migrated template stay for the next run; runs at once share them.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await testServer();
  const template = `template_${await digestOfMigrations()}`;
  await onServer(server.url, (client) => prepare(client, server.url, template));
  project.provide("testServer", { url: server.url, template });
  return () => server.stop();
}

async function testServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const url = process.env["MPI_TEST_DATABASE_URL"];
  if (url !== undefined) return { url, stop: async () => undefined };
  const dataDirectory = join(defaultDataDirectory(ROOT), "test");
  return startEmbeddedServer({ dataDirectory, log: quiet, settings: NOT_WAITING_FOR_DISK });
}

async function prepare(client: pg.Client, url: string, template: string): Promise<void> {
  await client.query("SELECT pg_advisory_lock($1)", [SETUP_LOCK]); // until this connection ends
  const { rows } = await client.query<{ datname: string }>("SELECT datname FROM pg_database");
  const names = rows.map((row) => row.datname);
  for (const name of names.filter(isLeftBehind)) await drop(client, name);
  if (names.includes(template)) return;
  for (const name of names.filter((other) => other.startsWith("template_"))) await drop(client, name);
  await makeTemplate(client, url, template);
}

async function makeTemplate(client: pg.Client, url: string, template: string): Promise<void> {
  const unfinished = `template_unfinished_${Date.now()}`;
  await client.query(`CREATE DATABASE "${unfinished}" TEMPLATE template0`);
  await applyMigrations(withDatabase(url, unfinished), { directory: MIGRATIONS, log: quiet });
  // A session on a template would stand in the way of copying it.
  await client.query(`ALTER DATABASE "${unfinished}" ALLOW_CONNECTIONS false`);
  await client.query(`ALTER DATABASE "${unfinished}" RENAME TO "${template}"`);
}

// A run that was killed has left its databases; a run that goes on has younger ones.
function isLeftBehind(name: string): boolean {
  const made = /^test_(\d+)_/.exec(name)?.[1];
  return made !== undefined && Date.now() - Number(made) > LEFT_BEHIND_MS;
}

async function drop(client: pg.Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

async function digestOfMigrations(): Promise<string> {
  const names = (await readdir(MIGRATIONS, { recursive: true }))
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const digest = createHash("sha256");
  for (const name of names) digest.update(name).update(await readFile(join(MIGRATIONS, name)));
  return digest.digest("hex").slice(0, 16);
}
