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

/** The job type of that name; throws MPI-100 when there is none. */
export function jobTypeOf(name: string): JobType {
  const type = jobTypes.find((one) => one === name);
  if (!type) throw new MpiError("JOB_TYPE_UNKNOWN", { type: name });
  return type;
}
