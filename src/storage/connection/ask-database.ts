import type { KeyRing } from "../../identifier-index/index.ts";
import type { Database } from "./database.ts";

/**
 * Throws when the database does not answer, or takes no writes: then no call is answered, for each leaves an entry. Answers
 * with its time.
 */
export async function askDatabase(database: Database): Promise<Date> {
  const [row] = await database.$queryRaw<{ readOnly: string; now: Date }[]>`
    SELECT current_setting('transaction_read_only') AS "readOnly",
      (clock_timestamp() AT TIME ZONE 'UTC')::timestamp(3) AS now`;
  if (row?.readOnly !== "off") throw new Error("The database takes no writes: it is a standby.");
  return row.now;
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
