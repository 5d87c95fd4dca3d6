import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { dropDatabase, onServer, withDatabase } from "./on-server.ts";

export { onServer };

declare module "vitest" {
  interface ProvidedContext {
    /** The server of the run, and the migrated database on it that every test database is a copy of. */
    testServer: { readonly url: string; readonly template: string };
  }
}

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

/** What it holds now; nobody may have a session on it meanwhile. */
export async function copyDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  return copyOf(new URL(url).pathname.slice(1));
}

async function copyOf(template: string): Promise<TestDatabase> {
  const { url } = inject("testServer");
  const name = `test_${Date.now()}_${randomBytes(6).toString("hex")}`;
  await onServer(url, (client) => client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`));
  return {
    url: withDatabase(url, name),
    drop: () => dropDatabase(url, name),
  };
}
