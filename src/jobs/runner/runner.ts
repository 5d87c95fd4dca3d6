import type { Jobs } from "../jobs.ts";
import { repeated } from "../repeated.ts";
import { LEASE_MS } from "./held-job.ts";
import { type RunningJob, runJob } from "./run-job.ts";

const LOOK_AGAIN_MS = 1_000;
/** How long a job waits at most before its message counts as lost. */
const LOST_AFTER_MS = 5_000;

/**
 * Runs the jobs that the queue gives to this process, those of different types side by side. A job whose process has
 * died is handed out again when its lease has run out. Answers with how to stop: what runs is interrupted and given
 * back, for another process or the next start to go on with.
 */
export function startRunner(
  jobs: Jobs,
  onTrouble: (error: unknown, what: string) => void,
): () => Promise<void> {
  const running = new Set<RunningJob>();
  const begin = (job: RunningJob) => {
    running.add(job);
    job.ended
      .catch((error) => onTrouble(error, "the end of a job was not stored"))
      .finally(() => running.delete(job));
  };
  const look = async (isStopped: () => boolean) => {
    await jobs.requireFit();
    await handOutUnattended(jobs);
    if (isStopped()) return;
    for (const message of await jobs.queue.fetch()) {
      begin(runJob(jobs, message, (error) => onTrouble(error, `job ${message.key.type} ended unexpectedly`)));
    }
  };
  const stopLooking = repeated(LOOK_AGAIN_MS, look, (error) => onTrouble(error, "looking for jobs failed"));
  return async () => {
    await stopLooking();
    for (const { held } of running) held.interrupt("stopping");
    await Promise.allSettled([...running].map(({ ended }) => ended));
  };
}

async function handOutUnattended({ store, queue, now }: Jobs): Promise<void> {
  const waitingSince = new Date(now().getTime() - LOST_AFTER_MS);
  for (const message of await store.unattended(waitingSince, LEASE_MS)) await queue.handOutAgain(message);
}
