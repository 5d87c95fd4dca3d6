import { setTimeout as delay } from "node:timers/promises";
import {
  type JobRun,
  type Jobs,
  type JobType,
  type JobWork,
  jobId,
  readJob,
  startJob,
} from "../../src/jobs/index.ts";

/** How often a job is asked whether it has got somewhere. */
export const SOON = { interval: 50 };

export function work(run: (run: JobRun) => Promise<void>, type: JobType = "check-index"): JobWork {
  return { type, run };
}

/** Work that goes on until it is interrupted. */
export async function endless({ signal }: JobRun): Promise<void> {
  await delay(600_000, undefined, { signal });
}

/** Reads the state of a job, for those who poll it. */
export function stateOf(jobs: Jobs, id: string) {
  return async () => (await readJob(jobs, id)).state;
}

/** Starts a job; answers with its id. */
export async function started(jobs: Jobs, type: JobType = "check-index"): Promise<string> {
  return jobId((await startJob(jobs, type)).job);
}
