import { setTimeout as delay } from "node:timers/promises";
import { currentSignal } from "../call/current-call.ts";
import { MpiError } from "../errors/index.ts";
import { hasEnded, type Job } from "./job.ts";
import type { Jobs } from "./jobs.ts";
import { readJob } from "./read-jobs.ts";

const LOOK_AGAIN_MS = 500;

/**
 * A job now and after each change, until it has ended. A job can run in any process, so its row is looked at again and
 * again. Throws SERVICE_STOPPING when this process stops before the job does: another one can be asked then.
 */
export async function* watchJob(
  jobs: Pick<Jobs, "store">,
  id: string,
  stopping: AbortSignal,
): AsyncGenerator<Job> {
  for (let shown: Job | undefined; ; ) {
    const job = await readJob(jobs, id);
    if (shown?.changedAt.getTime() !== job.changedAt.getTime()) yield job;
    if (hasEnded(job)) return;
    shown = job;
    await pause(stopping);
  }
}

async function pause(stopping: AbortSignal): Promise<void> {
  const call = currentSignal();
  const signal = call ? AbortSignal.any([call, stopping]) : stopping;
  try {
    await delay(LOOK_AGAIN_MS, undefined, { signal });
  } catch (cause) {
    if (stopping.aborted) throw new MpiError("SERVICE_STOPPING", {}, { cause });
    throw cause;
  }
}
