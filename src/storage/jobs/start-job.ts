import { randomUUID } from "node:crypto";
import type { JobStarter, JobType, StartedJob } from "../../jobs/index.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { inTransaction } from "../transactions/transaction.ts";
import { JOB_COLUMNS, type JobRow, jobOf } from "./job-rows.ts";

/** Jobs of a type that are kept. */
const KEPT = 100;

/** A new job, or the one of its type that waits or runs: decided under a lock, so one of a type waits or runs. */
export async function insertJob(
  database: Database,
  type: JobType,
  startedBy: JobStarter | undefined,
  now: Date,
): Promise<StartedJob> {
  return await inTransaction(database, async (transaction) => {
    await transaction.$queryRaw`SELECT name FROM lease WHERE name = 'jobs' FOR UPDATE`;
    const open = await selectOpen(transaction, type);
    if (open) return open;
    const [latest] = await transaction.$queryRaw<{ n: number }[]>`
      SELECT coalesce(max(n), 0) AS n FROM job WHERE type = ${type}`;
    const n = (latest?.n ?? 0) + 1;
    const id = randomUUID();
    await transaction.$executeRaw`DELETE FROM job WHERE type = ${type} AND n > 0 AND n <= ${n - KEPT}`;
    const [row] = await transaction.$queryRaw<JobRow[]>`
      INSERT INTO job (type, n, state, message_id, started_by, created_at, changed_at)
      VALUES (${type}, ${n}, 'queued', ${id}::uuid, ${startedBy ? JSON.stringify(startedBy) : null}, ${now}, ${now})
      RETURNING ${JOB_COLUMNS}`;
    if (!row) throw new TypeError("An INSERT gave no row back.");
    return { job: jobOf(row), message: { id, key: { type, n } }, isNew: true };
  });
}

async function selectOpen(transaction: Transaction, type: JobType): Promise<StartedJob | undefined> {
  const [row] = await transaction.$queryRaw<(JobRow & { messageId: string })[]>`
    SELECT ${JOB_COLUMNS}, message_id::text AS "messageId" FROM job
    WHERE type = ${type} AND state IN ('queued', 'running')`;
  if (!row) return undefined;
  return { job: jobOf(row), message: { id: row.messageId, key: { type, n: row.n } }, isNew: false };
}
