import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of the run, and the migrated database on it that every test database is a copy of. */
    testServer: { readonly url: string; readonly template: string };
  }
}

const INSUFFICIENT_PRIVILEGE = "42501";

export interface TestDatabase {
  readonly url: string;
  /** Removes it, with the sessions that are still on it. */
  drop(): Promise<void>;
}

/** A migrated database for one test file, which may run beside others. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return copyOf(inject("testServer").template);
}

/** A database without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return copyOf("template1");
}

async function copyOf(template: string): Promise<TestDatabase> {
  const { url } = inject("testServer");
  const name = `test_${Date.now()}_${randomBytes(6).toString("hex")}`;
  await onServer(url, (client) => client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`));
  return {
    url: withDatabase(url, name),
    drop: () => onServer(url, (client) => drop(client, name)),
  };
}

/** Autovacuum may be at work in it, which our role may not end: it is soon done. */
async function drop(client: pg.Client, name: string, attempts = 50): Promise<void> {
  try {
    await client.query(`DROP DATABASE "${name}" WITH (FORCE)`);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE || attempts === 1) throw cause;
    await sleep(100);
    await drop(client, name, attempts - 1);
  }
}

/** The same address with another database. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Runs an action with a connection of its own. */
export async function onServer<T>(url: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A connection that breaks fails its statement; without a listener it would end the process besides.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}
