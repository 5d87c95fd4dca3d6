import { currentCall } from "../call/current-call.ts";
import { MpiError } from "../errors/index.ts";
import type { Job, JobStarter } from "./job.ts";
import { jobTypeOf } from "./job-type.ts";
import type { Jobs } from "./jobs.ts";

/**
 * Starts a job of a type, or answers with the one that waits or runs already: so a repeated start does no harm. Throws
 * MPI-100 for an unknown type, NOT_IMPLEMENTED for one that this build cannot do, and what its work refuses it for.
 */
export async function startJob(
  { store, queue, works, now }: Jobs,
  typeName: string,
): Promise<{ readonly job: Job; readonly isNew: boolean }> {
  const type = jobTypeOf(typeName);
  const work = works.get(type);
  if (!work) throw new MpiError("NOT_IMPLEMENTED");
  await work.mayStart?.();
  const { job, message, isNew } = await store.start(type, starter(), now());
  // Lost on the way, it is sent again by the runners, who look for jobs that wait too long.
  if (isNew) await queue.send(message);
  return { job, isNew };
}

function starter(): JobStarter | undefined {
  const caller = currentCall()?.caller;
  return caller && { name: caller.name ?? "", role: caller.role, organization: caller.organization };
}
