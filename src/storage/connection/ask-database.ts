import type { KeyRing } from "../../identifier-index/index.ts";
import type { Database } from "./database.ts";

/** Throws when the database does not answer, or takes no writes: then no call is answered, for each leaves an entry. */
export async function askDatabase(database: Database): Promise<void> {
  const [row] = await database.$queryRaw<{ readOnly: string }[]>`
    SELECT current_setting('transaction_read_only') AS "readOnly"`;
  if (row?.readOnly !== "off") throw new Error("The database takes no writes: it is a standby.");
}

/** The same, and when this process lacks the keys that the database is sealed with by now. */
export async function askStorage({
  database,
  keys,
}: {
  readonly database: Database;
  readonly keys: KeyRing;
}): Promise<void> {
  await askDatabase(database);
  await askKeys(keys);
}

/** Throws when this process lacks the keys that the database is sealed with by now. */
export async function askKeys(keys: KeyRing): Promise<void> {
  await keys.under(async () => undefined);
}
