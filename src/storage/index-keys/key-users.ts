import type { Database } from "../database.ts";

/** How long after its last sign a process may begin work without giving another. */
export const TRUSTED_MS = 10_000;

// By the clock of the database: those of the processes may differ by more than the limits.
const NOW = "clock_timestamp() AT TIME ZONE 'UTC'";

/** Says that a process is alive, and on which states of the keys it acts. */
export async function signOfLife(database: Database, processId: string, actsOn: string): Promise<void> {
  await database.$executeRawUnsafe(
    `INSERT INTO index_key_user (process_id, acts_on, seen_at) VALUES ($1, $2, ${NOW})
     ON CONFLICT (process_id) DO UPDATE SET acts_on = excluded.acts_on, seen_at = excluded.seen_at`,
    processId,
    actsOn,
  );
}

export async function signOff(database: Database, processId: string): Promise<void> {
  await database.$executeRaw`DELETE FROM index_key_user WHERE process_id = ${processId}`;
}
