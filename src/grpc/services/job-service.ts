import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type Job as JobMessage,
  JobSchema,
  type JobService,
  JobState,
} from "#proto/patientindex/v1/job_service_pb.ts";
import {
  cancelJob,
  type Job,
  type Jobs,
  jobId,
  listJobs,
  readJob,
  startJob,
  watchJob,
} from "../../jobs/index.ts";
import { shownIssues } from "./shown-issues.ts";

/** JobService on the use cases of jobs; `stopping` ends what is watched when the service stops. */
export function jobService(jobs: Jobs, stopping: AbortSignal): ServiceImpl<typeof JobService> {
  const shown = (job: Job, context: HandlerContext) => messageOf(job, jobs, context);
  return {
    async startJob({ type }, context) {
      const { job, isNew } = await startJob(jobs, type);
      return { job: shown(job, context), alreadyStarted: !isNew };
    },
    async getJob({ id }, context) {
      return { job: shown(await readJob(jobs, id), context) };
    },
    async listJobs(request, context) {
      const listed = await listJobs(jobs, request);
      return { jobs: listed.jobs.map((job) => shown(job, context)), nextPageToken: listed.nextPageToken };
    },
    async *watchJob({ id }, context) {
      for await (const job of watchJob(jobs, id, stopping)) yield { job: shown(job, context) };
    },
    async cancelJob({ id }, context) {
      return { job: shown(await cancelJob(jobs, id), context) };
    },
  };
}

const STATES = {
  queued: JobState.QUEUED,
  running: JobState.RUNNING,
  succeeded: JobState.SUCCEEDED,
  failed: JobState.FAILED,
  cancelled: JobState.CANCELLED,
  standing: JobState.STANDING,
} as const;

function messageOf(job: Job, { systems }: Jobs, context: HandlerContext): JobMessage {
  return create(JobSchema, {
    id: jobId(job),
    type: job.type,
    state: STATES[job.state],
    done: BigInt(job.done),
    ...(job.total !== undefined && { total: BigInt(job.total) }),
    problems: BigInt(job.problems),
    ...(job.lastError && {
      lastError: shownIssues(job.lastError.issues, context, systems),
      lastErrorAt: timestampFromDate(job.lastError.at),
    }),
    ...(job.startedBy && { startedBy: job.startedBy }),
    createdAt: timestampFromDate(job.createdAt),
    ...instant("beganAt", job.beganAt),
    ...instant("endedAt", job.endedAt),
    changedAt: timestampFromDate(job.changedAt),
    cancelling: job.isCancelling,
  });
}

function instant<Name extends string>(
  name: Name,
  at: Date | undefined,
): { [Key in Name]: Timestamp } | Record<string, never> {
  return at ? ({ [name]: timestampFromDate(at) } as { [Key in Name]: Timestamp }) : {};
}
