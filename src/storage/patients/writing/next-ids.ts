import { Prisma } from "../../../../prisma/gen/client.ts";

/** More than are given in the time that a backup, or a standby that was promoted, may lack. */
const LOST_IDS = 1_000_000;

const ATTEMPTS = 5;

/** Sends a statement that is the same each time but for its values. */
export type AskForIds = (statement: Prisma.Sql, name: string) => Promise<readonly { id: bigint | string }[]>;

/**
 * What is another one in each database that was put back and in each standby that was promoted: the cluster, the database
 * in it, and its timeline. The control file would name the timeline only after the next checkpoint.
 */
const LINEAGE = Prisma.sql`
  concat_ws(' ', (SELECT system_identifier FROM pg_control_system()),
    (SELECT oid FROM pg_database WHERE datname = current_database()),
    left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))`;

/**
 * Ids for new patients. A database may have gone back in time while this process went on; what was given since would be given
 * to somebody else. So the database is asked with each block of ids whether it is the one that gave the last ones.
 */
export async function nextIds(ask: AskForIds, count: number): Promise<bigint[]> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const rows = await ask(
      Prisma.sql`
        SELECT nextval('patient_id') AS id FROM generate_series(1, ${count}::int)
        WHERE EXISTS (SELECT FROM lease WHERE name = 'patient-ids' AND holder = ${LINEAGE})`,
      "next_ids",
    );
    if (rows.length === count) return rows.map(({ id }) => BigInt(id));
    await passOverLostIds(ask);
  }
  throw new Error("The sequence of ids gave none.");
}

/**
 * Passes over the ids that may be lost, if there are any. Done when a process starts, so that it is not for requests to do:
 * a second of nextval (setval would need one right more of the role that serves), and for nothing each time that their
 * transaction is undone. Whoever comes second waits for the row, and finds it as it should be. Of a row that is new
 * nothing is known to be lost.
 */
export async function passOverLostIds(ask: AskForIds): Promise<void> {
  await ask(
    Prisma.sql`
      WITH moved AS (
        INSERT INTO lease (name, holder) VALUES ('patient-ids', ${LINEAGE})
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder WHERE lease.holder <> excluded.holder
        RETURNING xmax <> 0 AS is_another
      )
      SELECT max(nextval('patient_id')) AS id FROM moved, generate_series(1, ${LOST_IDS}::int) WHERE is_another`,
    "pass_over_lost_ids",
  );
}
