export { type Job, type JobKey, type JobStarter, type JobState, jobId } from "./job.ts";
export { type JobType, jobTypeOf, jobTypes } from "./job-type.ts";
export type { JobLog, Jobs } from "./jobs.ts";
export type {
  Findings,
  JobMessage,
  JobProgress,
  JobQueue,
  JobRun,
  JobStore,
  JobWork,
  StartedJob,
} from "./ports.ts";
export { cancelJob, listJobs, readJob } from "./read-jobs.ts";
export { repeated } from "./repeated.ts";
export { startRunner } from "./runner/runner.ts";
export { type StandingWork, standingRound } from "./standing-work.ts";
export { startJob } from "./start-job.ts";
export { watchJob } from "./watch-job.ts";
