import type { Database } from "./database.ts";

/** Throws when the database does not answer. */
export async function askDatabase(database: Database): Promise<void> {
  await database.$queryRaw`SELECT 1`;
}
