import pg from "pg";
import { SESSION_NAMES } from "./session-names.ts";

/** Does work over a connection of its own, which is that of the owner of the tables. */
export async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    fallback_application_name: SESSION_NAMES.migrations,
  });
  // A connection that breaks fails its statement; without a listener it would end the process besides.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
