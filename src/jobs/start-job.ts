import { currentCall } from "../call/current-call.ts";
import { MpiError } from "../errors/index.ts";
import type { Job, JobStarter } from "./job.ts";
import { jobTypeOf } from "./job-type.ts";
import type { JobLog, Jobs } from "./jobs.ts";
import type { JobMessage, JobQueue, JobWork } from "./ports.ts";

/**
 * Starts a job of a type, or answers with the one that waits or runs already: so a repeated start does no harm. Throws
 * MPI-100 for an unknown type, NOT_IMPLEMENTED for one that this build cannot do, and what its work refuses it for.
 */
export async function startJob(
  { store, queue, works, now, log }: Jobs,
  typeName: string,
): Promise<{ readonly job: Job; readonly isNew: boolean }> {
  const type = jobTypeOf(typeName);
  const work = works.get(type);
  if (!work) throw new MpiError("NOT_IMPLEMENTED");
  await refuseUnfit(work, log);
  const { job, message, isNew } = await store.start(type, starter(), now());
  if (isNew) await send(queue, message, log);
  return { job, isNew };
}

/** The job is there by then: lost on the way, its message is sent again by the runners, who look for jobs that wait too long. */
async function send(queue: JobQueue, message: JobMessage, log: JobLog): Promise<void> {
  try {
    await queue.send(message);
  } catch (cause) {
    log.unsent(message.key, cause);
  }
}

async function refuseUnfit(work: JobWork, log: JobLog): Promise<void> {
  try {
    await work.mayStart?.();
  } catch (failure) {
    // The caller is told codes only; the causes are seen here alone.
    if (failure instanceof MpiError) log.refused(work.type, failure);
    throw failure;
  }
}

function starter(): JobStarter | undefined {
  const caller = currentCall()?.caller;
  return caller && { name: caller.name ?? "", role: caller.role, organization: caller.organization };
}
