import { setTimeout as delay } from "node:timers/promises";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { type Job, JobService } from "#proto/patientindex/v1/job_service_pb.ts";
import type { RemoteCore } from "../../../gateway/transport/remote/channels.ts";
import { createRemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import { unreachableBecause } from "../../errors/index.ts";

/** A service that jobs are asked of. */
export interface JobClient {
  start(type: string): Promise<{ readonly job: Job; readonly wasThere: boolean }>;
  list(): Promise<Job[]>;
  /** The job at once and after each change; outlives a restart of the service. */
  watch(id: string): AsyncGenerator<Job>;
  cancel(id: string): Promise<Job>;
  close(): void;
}

/** How long a service may be away while a job is watched. */
const PATIENCE_MS = 60_000;
const AGAIN_MS = 500;

export function openJobClient(core: RemoteCore, headers: Record<string, string>): JobClient {
  const transport = createRemoteTransport(core);
  const jobs = createClient(JobService, transport);
  return {
    async start(type) {
      const { job, alreadyStarted } = await jobs.startJob({ type }, { headers });
      return { job: present(job), wasThere: alreadyStarted };
    },
    async list() {
      const { jobs: listed } = await jobs.listJobs({ pageSize: 100 }, { headers });
      return listed;
    },
    watch: (id) => watch(jobs, id, headers),
    async cancel(id) {
      return present((await jobs.cancelJob({ id }, { headers })).job);
    },
    close: () => transport.close(),
  };
}

async function* watch(
  jobs: Client<typeof JobService>,
  id: string,
  headers: Record<string, string>,
): AsyncGenerator<Job> {
  for (let awaySince: number | undefined; ; ) {
    try {
      for await (const { job } of jobs.watchJob({ id }, { headers })) {
        awaySince = undefined;
        yield present(job);
      }
      return;
    } catch (error) {
      awaySince ??= Date.now();
      if (ConnectError.from(error).code !== Code.Unavailable || Date.now() - awaySince > PATIENCE_MS)
        throw error;
      await delay(AGAIN_MS);
    }
  }
}

function present(job: Job | undefined): Job {
  if (!job) throw new TypeError("The service answered without a job.");
  return job;
}

/** Why a call was refused, a line for each issue. */
export function refusalLines(error: unknown): string[] {
  if (!(error instanceof ConnectError)) return [error instanceof Error ? error.message : String(error)];
  const [details] = error.findDetails(ErrorDetailsSchema);
  const reason = unreachableBecause(error);
  if (!details || details.issues.length === 0)
    return [`${Code[error.code]}: ${error.rawMessage}`, ...(reason ? [reason] : [])];
  return details.issues.map(({ code, text, diagnostics }) => `${code} ${text} ${diagnostics}`.trimEnd());
}
