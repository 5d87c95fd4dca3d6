import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = "42501";
const AGAIN_MS = 100;
const ATTEMPTS = 600;

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

/** The same address with another database. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Removes a database of the server, with the sessions that are on it. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await onServer(url, (client) => client.query(`DROP DATABASE "${name}" WITH (FORCE)`));
      return;
    } catch (cause) {
      // Autovacuum may be at work in it, which our role may not end: it is soon done.
      if ((cause as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE || attempt === ATTEMPTS) throw cause;
    }
    await delay(AGAIN_MS);
  }
}
