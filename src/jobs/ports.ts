import type { ErrorIssues, MpiError } from "../errors/index.ts";
import type { Job, JobKey, JobStarter, JobState } from "./job.ts";
import type { JobType } from "./job-type.ts";

/** What one type of job does. A feature brings one; src/composition hands it to the runner. */
export interface JobWork<Type extends JobType = JobType> {
  readonly type: Type;
  /** Throws to refuse the start of a job. */
  readonly mayStart?: () => Promise<void>;
  /**
   * Does the work: it succeeded when the promise is kept and failed when it is broken by an MpiError. An interrupted
   * run is begun again, here or in another process, and so is one that something unexpected has ended; every step must
   * be safe to repeat from the last checkpoint. When the signal aborts, it ends as soon as it can, however it likes.
   */
  run(run: JobRun): Promise<void>;
}

/** A run of a job, as its work sees it. Statements of the work are cancelled when its signal aborts. */
export interface JobRun {
  /** Aborts when the job is cancelled, when this process lost it to another one, and when the process stops. */
  readonly signal: AbortSignal;
  /** What an interrupted run of the same job reported last; undefined when it begins. */
  readonly checkpoint: string | undefined;
  /**
   * Stores how far the job is, and the problems since the last report with it, before it goes on; what is not said
   * stays as it was. Throws when the job is not this run's any more.
   */
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

/** Where jobs are kept. */
export interface JobStore {
  /** A new job of a type that waits for a runner; the one that waits or runs already, where there is one. */
  start(type: JobType, startedBy: JobStarter | undefined, now: Date): Promise<StartedJob>;
  read(key: JobKey): Promise<Job | undefined>;
  /** Standing work first, then the latest. */
  list(page: JobPage): Promise<Job[]>;
  /** Cancels a job that waits and tells one that runs to stop; leaves others alone. undefined when there is none. */
  cancel(key: JobKey, now: Date): Promise<Job | undefined>;
  /** Adds to the standing work of a type what one round of it did. */
  noteRound(type: JobType, done: number, findings: Findings, now: Date): Promise<void>;

  /**
   * Takes a job that nobody runs: "held" when somebody does, or has just given it back; "over" when there is nothing to
   * run any more.
   */
  claim(key: JobKey, lease: JobLease): Promise<ClaimedJob | "held" | "over">;
  renew(key: JobKey, lease: JobLease): Promise<"held" | "cancelling" | "lost">;
  /** False, and nothing is stored, when somebody else holds it. */
  save(key: JobKey, holder: string, saved: Findings & Partial<JobProgress>, now: Date): Promise<boolean>;
  end(
    key: JobKey,
    holder: string,
    ending: Findings & { readonly state: JobState },
    now: Date,
  ): Promise<boolean>;
  /** Lets it wait for another run; `failed` when the last one ended unexpectedly. */
  giveBack(key: JobKey, holder: string, failed: boolean, now: Date): Promise<void>;
  /**
   * The messages of jobs that wait since before `waitingSince`, and of those whose holder let its time pass; somebody holds a
   * job for so many milliseconds at most.
   */
  unattended(waitingSince: Date, milliseconds: number): Promise<JobMessage[]>;
}

export interface StartedJob {
  readonly job: Job;
  readonly message: JobMessage;
  readonly isNew: boolean;
}

export interface JobPage {
  readonly type: JobType | undefined;
  readonly offset: number;
  readonly size: number;
}

/** Who runs a job until when, unless renewed. */
export interface JobLease {
  readonly holder: string;
  readonly now: Date;
  readonly milliseconds: number;
}

export interface ClaimedJob {
  readonly checkpoint: string | undefined;
  /** Runs in a row that ended unexpectedly without a new checkpoint. */
  readonly attempts: number;
}

/** Problems that were not stored yet. */
export interface Findings {
  readonly problems: number;
  /** Without values. */
  readonly lastError: ErrorIssues | undefined;
}

/** What tells a runner of a job. The job itself says whether there is something to do, so one too many does no harm. */
export interface JobMessage {
  readonly id: string;
  readonly key: JobKey;
}

/** Hands the messages of jobs to runners, each to one of them. */
export interface JobQueue {
  send(message: JobMessage): Promise<void>;
  /** Messages for this process alone, until they are completed or given back. */
  fetch(): Promise<JobMessage[]>;
  complete(message: JobMessage): Promise<void>;
  /** Lets another runner, or this one again, have a message, even if it got lost or its runner has died. */
  handOutAgain(message: JobMessage): Promise<void>;
  close(): Promise<void>;
}
