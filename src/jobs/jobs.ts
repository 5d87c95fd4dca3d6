import type { ErrorSystems } from "../errors/index.ts";
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
}
