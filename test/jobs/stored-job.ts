import { defaultErrorSystems, type MpiError } from "../../src/errors/index.ts";
import {
  type Findings,
  type JobMessage,
  type JobQueue,
  type JobRun,
  type JobStore,
  type JobWork,
  startRunner,
} from "../../src/jobs/index.ts";

export const MESSAGE: JobMessage = { id: "message-1", key: { type: "check-index", n: 1 } };

/** A job in a database as the runner sees it; what is told of it, in order. */
export class StoredJob {
  readonly told: unknown[] = [];
  readonly logged: string[] = [];
  readonly troubles: unknown[] = [];
  claimed: Awaited<ReturnType<JobStore["claim"]>> = { checkpoint: undefined, attempts: 0 };
  renewed: () => Promise<"held" | "cancelling" | "lost"> = async () => "held";
  isHeld = true;
  renewals = 0;
  waiting = [MESSAGE];
  unattended: JobMessage[] = [];
  /** For which jobs of others it was looked: since when they wait, how long they are held. */
  readonly looked: unknown[] = [];

  readonly store = {
    claim: async () => this.claimed,
    renew: () => {
      this.renewals += 1;
      return this.renewed();
    },
    save: async (_key, _holder, { done, problems, lastError }) => {
      this.told.push(["saved", done, problems, ...meaningsOf(lastError)]);
      return this.isHeld;
    },
    end: async (_key, _holder, { state, problems, lastError }) => {
      this.told.push([state, problems, ...meaningsOf(lastError)]);
      return this.isHeld;
    },
    giveBack: async (_key, _holder, failed) => void this.told.push(["given back", failed]),
    unattended: async (waitingSince, milliseconds) => {
      this.looked.push([Date.now() - waitingSince.getTime(), milliseconds]);
      return this.unattended.splice(0);
    },
  } as Partial<JobStore> as JobStore;

  readonly queue: JobQueue = {
    send: async () => undefined,
    fetch: async () => this.waiting.splice(0),
    complete: async () => void this.told.push("completed"),
    handOutAgain: async () => void this.told.push("handed out again"),
    close: async () => undefined,
  };

  /** Has a runner do that work; answers with how to stop it. */
  run(work?: (run: JobRun) => Promise<void>): () => Promise<void> {
    const works: JobWork[] = work ? [{ type: "check-index", run: work }] : [];
    const jobs = {
      store: this.store,
      queue: this.queue,
      works: new Map(works.map((one) => [one.type, one])),
      systems: defaultErrorSystems,
      now: () => new Date(),
      log: {
        problem: () => undefined,
        failed: (_key: unknown, error: MpiError) => void this.logged.push(error.message),
        unsent: () => undefined,
        refused: () => undefined,
      },
      requireFit: async () => undefined,
    };
    return startRunner(jobs, (error) => void this.troubles.push(error));
  }
}

function meaningsOf(lastError: Findings["lastError"]): unknown[] {
  return (lastError ?? []).map((issue) => ("meaning" in issue ? issue.meaning : issue));
}
