import type { Database } from "../connection/database.ts";

/**
 * How long after its last sign a process counts as alive. One that cannot give a sign begins no work after
 * `TRUSTED_MS` (follow-keys.ts); what it has begun is not written any more when its keys are replaced (sealing/keys-in-use.ts).
 */
const ALIVE_MS = 60_000;
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

/** How many live processes act on other states than these; forgets those that are long gone. */
export async function countOthers(database: Database, actsOn: string): Promise<number> {
  await database.$executeRawUnsafe(
    `DELETE FROM index_key_user WHERE seen_at < ${NOW} - make_interval(secs => $1::int)`,
    (10 * ALIVE_MS) / 1000,
  );
  const [row] = await database.$queryRawUnsafe<{ others: bigint }[]>(
    `SELECT count(*) AS others FROM index_key_user
     WHERE acts_on <> $1 AND seen_at >= ${NOW} - make_interval(secs => $2::int)`,
    actsOn,
    ALIVE_MS / 1000,
  );
  return Number(row?.others ?? 0);
}
