import { Prisma } from "../../../prisma/gen/client.ts";
import type { ErrorIssues } from "../../errors/index.ts";
import type { Job, JobStarter, JobState, JobType } from "../../jobs/index.ts";

export interface JobRow {
  readonly type: string;
  readonly n: number;
  readonly state: string;
  readonly startedBy: string | null;
  readonly createdAt: Date;
  readonly beganAt: Date | null;
  readonly endedAt: Date | null;
  readonly changedAt: Date;
  readonly done: bigint;
  readonly total: bigint | null;
  readonly problems: bigint;
  readonly lastError: string | null;
  readonly lastErrorAt: Date | null;
  readonly cancelling: boolean;
}

/** The columns of a JobRow. */
export const JOB_COLUMNS = Prisma.sql`
  type, n, state, started_by AS "startedBy", created_at AS "createdAt", began_at AS "beganAt",
  ended_at AS "endedAt", changed_at AS "changedAt", done, total, problems, last_error AS "lastError",
  last_error_at AS "lastErrorAt", cancelling`;

export function jobOf(row: JobRow): Job {
  return {
    type: row.type as JobType,
    n: row.n,
    state: row.state as JobState,
    done: Number(row.done),
    total: row.total === null ? undefined : Number(row.total),
    problems: Number(row.problems),
    lastError: lastErrorOf(row),
    startedBy: row.startedBy === null ? undefined : (JSON.parse(row.startedBy) as JobStarter),
    createdAt: row.createdAt,
    beganAt: row.beganAt ?? undefined,
    endedAt: row.endedAt ?? undefined,
    changedAt: row.changedAt,
    isCancelling: row.cancelling,
  };
}

function lastErrorOf({ lastError, lastErrorAt }: JobRow): Job["lastError"] {
  if (lastError === null || lastErrorAt === null) return undefined;
  return { issues: JSON.parse(lastError) as ErrorIssues, at: lastErrorAt };
}
