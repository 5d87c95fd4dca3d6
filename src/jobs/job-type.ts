import { MpiError } from "../errors/index.ts";

/** The kinds of background work there are (docs/jobs.md). */
export const jobTypes = [
  "reencrypt-index",
  "check-index",
  "scan-duplicates",
  "deliver-notifications",
  "refresh-from-register",
  "purge-cache",
] as const;

export type JobType = (typeof jobTypes)[number];

export function isJobType(name: string): name is JobType {
  return jobTypes.some((type) => type === name);
}

/** The job type of that name; throws MPI-100 when there is none. */
export function jobTypeOf(name: string): JobType {
  if (!isJobType(name)) throw new MpiError("JOB_TYPE_UNKNOWN", { type: name });
  return name;
}
