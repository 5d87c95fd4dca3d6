export { type JobType, jobTypeOf, jobTypes } from "./job-type.ts";
export type { JobProgress, JobRun, JobWork } from "./ports.ts";
