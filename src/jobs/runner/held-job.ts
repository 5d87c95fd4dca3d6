import { randomUUID } from "node:crypto";
import type { ErrorSystems, MpiError } from "../../errors/index.ts";
import { FoundProblems } from "../found-problems.ts";
import type { JobKey, JobState } from "../job.ts";
import type { JobLog } from "../jobs.ts";
import type { Findings, JobLease, JobProgress, JobRun, JobStore } from "../ports.ts";
import { repeated } from "../repeated.ts";

const HEARTBEAT_MS = 1_000;
/** How long a process that has died keeps a job from the others. */
export const LEASE_MS = 6_000;

/** Why a run is to end before its work is done. */
export type Interruption = "cancelled" | "lost" | "stopping";

export interface HeldJobOptions {
  readonly store: JobStore;
  readonly systems: ErrorSystems;
  readonly now: () => Date;
  readonly log: Pick<JobLog, "problem">;
}

/** A job that this process holds by a lease, which it renews until the job is released. */
export class HeldJob {
  readonly key: JobKey;
  readonly #options: HeldJobOptions;
  readonly #holder = randomUUID();
  readonly #abort = new AbortController();
  readonly #found: FoundProblems;
  #interruption: Interruption | undefined;
  #heldUntil = 0;
  #stopRenewing: () => Promise<void> = async () => undefined;

  constructor(key: JobKey, options: HeldJobOptions) {
    this.key = key;
    this.#options = options;
    this.#found = new FoundProblems(options.systems);
  }

  get interruption(): Interruption | undefined {
    return this.#interruption;
  }

  async claim() {
    const lease = this.#lease();
    const claimed = await this.#options.store.claim(this.key, lease);
    if (typeof claimed !== "string") {
      this.#extend(lease);
      this.#stopRenewing = repeated(
        HEARTBEAT_MS,
        () => this.#renew(),
        () => this.#giveUpWhenLate(),
      );
    }
    return claimed;
  }

  /** What its work sees of it. */
  run(checkpoint: string | undefined): JobRun {
    return {
      signal: this.#abort.signal,
      checkpoint,
      report: (progress) => this.#report(progress),
      problem: async (error: MpiError) => {
        this.#found.add(error);
        this.#options.log.problem(this.key, error);
      },
    };
  }

  interrupt(interruption: Interruption): void {
    if (this.#interruption) return;
    this.#interruption = interruption;
    this.#abort.abort(new DOMException(`The job is interrupted: ${interruption}.`, "AbortError"));
  }

  /** Whether the job was still this process's to end. */
  async end(state: JobState, failure?: Findings["lastError"]): Promise<boolean> {
    await this.#stopRenewing();
    const { store, now } = this.#options;
    const found = this.#found.take();
    const lastError = failure ?? found.lastError;
    const ending = { state, problems: found.problems, lastError };
    return await store.end(this.key, this.#holder, ending, now());
  }

  async giveBack(failed: boolean): Promise<void> {
    await this.#stopRenewing();
    await this.#options.store.giveBack(this.key, this.#holder, failed, this.#options.now());
  }

  async abandon(): Promise<void> {
    await this.#stopRenewing();
  }

  async #report(progress: JobProgress): Promise<void> {
    this.#abort.signal.throwIfAborted();
    const { store, now } = this.#options;
    const saved = await store.save(this.key, this.#holder, { ...progress, ...this.#found.take() }, now());
    if (saved) return;
    this.interrupt("lost");
    this.#abort.signal.throwIfAborted();
  }

  async #renew(): Promise<void> {
    const lease = this.#lease();
    const state = await this.#options.store.renew(this.key, lease);
    if (state === "lost") this.interrupt("lost");
    else this.#extend(lease);
    if (state === "cancelling") this.interrupt("cancelled");
  }

  /** Another process may take the job by now. */
  #giveUpWhenLate(): void {
    if (this.#options.now().getTime() >= this.#heldUntil) this.interrupt("lost");
  }

  #lease(): JobLease {
    return { holder: this.#holder, now: this.#options.now(), milliseconds: LEASE_MS };
  }

  #extend({ now, milliseconds }: JobLease): void {
    this.#heldUntil = now.getTime() + milliseconds;
  }
}
