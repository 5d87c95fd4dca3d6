import type { Database } from "./database.ts";

/** Throws when the database does not answer, or takes no writes: then no call is answered, for each leaves an entry. */
export async function askDatabase(database: Database): Promise<void> {
  const [row] = await database.$queryRaw<{ readOnly: string }[]>`
    SELECT current_setting('transaction_read_only') AS "readOnly"`;
  if (row?.readOnly !== "off") throw new Error("The database takes no writes: it is a standby.");
}
