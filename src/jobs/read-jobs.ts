import { MpiError } from "../errors/index.ts";
import { pageSize, pageToken, parsePageToken } from "../resources/index.ts";
import { type Job, jobKeyOf } from "./job.ts";
import { jobTypeOf } from "./job-type.ts";
import type { Jobs } from "./jobs.ts";

/** Reads a job; throws JOB_NOT_FOUND when there is none of that id. */
export async function readJob({ store }: Pick<Jobs, "store">, id: string): Promise<Job> {
  return known(id, await store.read(jobKeyOf(id)));
}

export interface ListedJobs {
  readonly jobs: Job[];
  readonly nextPageToken: string;
}

/** A page of jobs, of one type or (type empty) of all; MPI-100 for an unknown type. */
export async function listJobs(
  { store }: Pick<Jobs, "store">,
  asked: { readonly type: string; readonly pageSize: number; readonly pageToken: string },
): Promise<ListedJobs> {
  const size = pageSize(asked.pageSize);
  const list = `jobs ${asked.type}`;
  const offset = Number(parsePageToken(list, asked.pageToken) ?? 0n);
  const type = asked.type === "" ? undefined : jobTypeOf(asked.type);
  const found = await store.list({ type, offset, size: size + 1 });
  const jobs = found.slice(0, size);
  return { jobs, nextPageToken: found.length > size ? pageToken(list, offset + size) : "" };
}

/** Cancels a job and answers with it as it stands then; one that has ended stays as it is. */
export async function cancelJob({ store, now }: Pick<Jobs, "store" | "now">, id: string): Promise<Job> {
  const key = jobKeyOf(id);
  if (key.n === 0) throw new MpiError("JOB_STANDING", { id });
  return known(id, await store.cancel(key, now()));
}

function known(id: string, job: Job | undefined): Job {
  if (!job) throw new MpiError("JOB_NOT_FOUND", { id });
  return job;
}
