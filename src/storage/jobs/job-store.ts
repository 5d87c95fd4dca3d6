import { Prisma } from "../../../prisma/gen/client.ts";
import type { Job, JobKey, JobStore } from "../../jobs/index.ts";
import type { Database } from "../connection/database.ts";
import { heldJobs } from "./held-jobs.ts";
import { JOB_COLUMNS, type JobRow, jobOf } from "./job-rows.ts";
import { insertJob } from "./start-job.ts";

/** Jobs on PostgreSQL. */
export function jobStore(database: Database): JobStore {
  return {
    ...heldJobs(database),
    start: (type, startedBy, now) => insertJob(database, type, startedBy, now),
    read: (key) => selectJob(database, key),
    async list({ type, offset, size }) {
      const ofType = type === undefined ? Prisma.empty : Prisma.sql`WHERE type = ${type}`;
      const rows = await database.$queryRaw<JobRow[]>`
        SELECT ${JOB_COLUMNS} FROM job ${ofType}
        ORDER BY n > 0, created_at DESC, type, n DESC LIMIT ${size} OFFSET ${offset}`;
      return rows.map(jobOf);
    },
    async cancel(key, now) {
      await database.$executeRaw`
        UPDATE job SET cancelling = true,
          ended_at = CASE WHEN state = 'queued' THEN ${now} ELSE ended_at END,
          state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END,
          changed_at = greatest(${now}, changed_at + interval '1 millisecond')
        WHERE type = ${key.type} AND n = ${key.n} AND NOT cancelling AND state IN ('queued', 'running')`;
      return await selectJob(database, key);
    },
  };
}

async function selectJob(database: Database, { type, n }: JobKey): Promise<Job | undefined> {
  const [row] = await database.$queryRaw<JobRow[]>`
    SELECT ${JOB_COLUMNS} FROM job WHERE type = ${type} AND n = ${n}`;
  return row && jobOf(row);
}
