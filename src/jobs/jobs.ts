import type { ErrorSystems, MpiError } from "../errors/index.ts";
import type { JobKey } from "./job.ts";
import type { JobType } from "./job-type.ts";
import type { JobQueue, JobStore, JobWork } from "./ports.ts";

/** What the use cases of jobs work with. */
export interface Jobs {
  readonly store: JobStore;
  readonly queue: JobQueue;
  /** What this build can do. */
  readonly works: ReadonlyMap<JobType, JobWork>;
  readonly systems: ErrorSystems;
  readonly now: () => Date;
  readonly log: JobLog;
  /** Throws while this process can do no work: others run the jobs then. */
  readonly requireFit: () => Promise<void>;
}

/** Is told of what is kept of a job as a number and the latest one only. */
export interface JobLog {
  problem(job: JobKey, error: MpiError): void;
  failed(job: JobKey, error: MpiError): void;
  /** The queue does not take its message; the runners send it again. */
  unsent(job: JobKey, cause: unknown): void;
  /** No job was made: its work refuses the start of one. */
  refused(type: JobType, error: MpiError): void;
}
