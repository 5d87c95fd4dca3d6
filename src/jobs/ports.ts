import type { MpiError } from "../errors/index.ts";
import type { JobType } from "./job-type.ts";

/** What one type of job does. A feature brings one; service.ts hands it to the runner. */
export interface JobWork {
  readonly type: JobType;
  /**
   * Does the work: it succeeded when the promise is kept and failed when it is broken. An interrupted run is begun
   * again, here or in another process, so every step must be safe to repeat from the last checkpoint. When the signal
   * aborts, it ends as soon as it can, by throwing the signal's reason; what it throws then is no failure.
   */
  run(run: JobRun): Promise<void>;
}

/** A run of a job, as its work sees it. */
export interface JobRun {
  /** Aborts when the job is cancelled, when this process lost it to another one, and when the process stops. */
  readonly signal: AbortSignal;
  /** What an interrupted run of the same job reported last; undefined when it begins. */
  readonly checkpoint: string | undefined;
  /** Stores how far the job is, before it goes on; what is not said stays as it was. Throws when the job was lost. */
  report(progress: JobProgress): Promise<void>;
  /** Something wrong that was found: counted, and the latest kept as a chain of codes, without values. */
  problem(error: MpiError): Promise<void>;
}

export interface JobProgress {
  /** How many of them are done. */
  readonly done: number;
  /** How many there are, as far as is known. */
  readonly total?: number;
  /** Where a run after this one goes on; holds no identifier. */
  readonly checkpoint?: string;
}
