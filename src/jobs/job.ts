import type { ErrorIssues } from "../errors/index.ts";
import { MpiError } from "../errors/index.ts";
import { isJobType, type JobType } from "./job-type.ts";

/** Which job: the so-many-th of its type. Number 0 is the standing work of the type. */
export interface JobKey {
  readonly type: JobType;
  readonly n: number;
}

export type JobState = "queued" | "running" | "succeeded" | "failed" | "cancelled" | "standing";

/** A job as it stands. */
export interface Job extends JobKey {
  readonly state: JobState;
  readonly done: number;
  readonly total: number | undefined;
  /** How many problems its work has found. */
  readonly problems: number;
  /** Why it failed, or its latest problem: without values. */
  readonly lastError: { readonly issues: ErrorIssues; readonly at: Date } | undefined;
  /** undefined where no caller is known. */
  readonly startedBy: JobStarter | undefined;
  readonly createdAt: Date;
  readonly beganAt: Date | undefined;
  readonly endedAt: Date | undefined;
  readonly changedAt: Date;
  /** It was told to stop. */
  readonly isCancelling: boolean;
}

/** Who asked for a job. Not by personal code: that may be an identifier of a patient; the audit trail has it. */
export interface JobStarter {
  readonly name: string;
  readonly role: string;
  readonly organization: string;
}

const ENDED: ReadonlySet<JobState> = new Set(["succeeded", "failed", "cancelled"]);

export function hasEnded({ state }: Pick<Job, "state">): boolean {
  return ENDED.has(state);
}

/** The public id, such as check-index-7; the type alone for its standing work. */
export function jobId({ type, n }: JobKey): string {
  return n === 0 ? type : `${type}-${n}`;
}

/** The key of a public id; throws JOB_NOT_FOUND when no job can have it. */
export function jobKeyOf(id: string): JobKey {
  if (isJobType(id)) return { type: id, n: 0 };
  const [, type = "", number = ""] = /^(.*)-([1-9]\d{0,8})$/.exec(id) ?? [];
  if (!isJobType(type)) throw new MpiError("JOB_NOT_FOUND", { id });
  return { type, n: Number(number) };
}
