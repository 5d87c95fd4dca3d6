import { underSignal } from "../../call/current-call.ts";
import { asMpiError, MpiError, withoutValues } from "../../errors/index.ts";
import type { Jobs } from "../jobs.ts";
import type { ClaimedJob, JobMessage, JobWork } from "../ports.ts";
import { HeldJob } from "./held-job.ts";

/** Runs in a row that may end unexpectedly before the job counts as failed. */
const ATTEMPTS = 3;

export interface RunningJob {
  readonly held: HeldJob;
  /** Kept when the run has ended and its end is stored. */
  readonly ended: Promise<void>;
}

/** Runs the job of a message, unless somebody else does or it is over; `onTrouble` hears what nobody expected. */
export function runJob(jobs: Jobs, message: JobMessage, onTrouble: (error: unknown) => void): RunningJob {
  const held = new HeldJob(message.key, jobs);
  return { held, ended: claimAndRun(jobs, message, held, onTrouble) };
}

async function claimAndRun(
  jobs: Jobs,
  message: JobMessage,
  held: HeldJob,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  const work = jobs.works.get(message.key.type);
  // Of another build: a process that can do it is to have it.
  if (!work) return await jobs.queue.handOutAgain(message);
  const claimed = await held.claim();
  // Its message is not completed, so that it comes again should nobody hold the job.
  if (claimed === "held") return;
  const end = claimed === "over" ? "over" : await runClaimed({ jobs, held, work, claimed, onTrouble });
  if (end === "over") await jobs.queue.complete(message);
  if (end === "waits") await jobs.queue.handOutAgain(message);
}

interface ClaimedRun {
  readonly jobs: Jobs;
  readonly held: HeldJob;
  readonly work: JobWork;
  readonly claimed: ClaimedJob;
  readonly onTrouble: (error: unknown) => void;
}

/** What has become of a job after a run: it is over, waits for another run, or is another process's. */
type End = "over" | "waits" | "lost";

async function runClaimed({ jobs, held, work, claimed, onTrouble }: ClaimedRun): Promise<End> {
  const run = held.run(claimed.checkpoint);
  try {
    await underSignal(run.signal, () => work.run(run));
  } catch (failure) {
    if (held.interruption) return await afterInterruption(held);
    if (failure instanceof MpiError) return await ended(held, "failed", failure, jobs);
    onTrouble(failure);
    if (claimed.attempts + 1 >= ATTEMPTS) return await ended(held, "failed", asMpiError(failure), jobs);
    await held.giveBack(true);
    return "waits";
  }
  return held.interruption ? await afterInterruption(held) : await ended(held, "succeeded", undefined, jobs);
}

async function afterInterruption(held: HeldJob): Promise<End> {
  if (held.interruption === "cancelled") return (await held.end("cancelled")) ? "over" : "lost";
  if (held.interruption === "lost") {
    await held.abandon();
    return "lost";
  }
  await held.giveBack(false);
  return "waits";
}

async function ended(
  held: HeldJob,
  state: "succeeded" | "failed",
  failure: MpiError | undefined,
  { systems, log }: Jobs,
): Promise<End> {
  const isEnded = await held.end(state, failure && withoutValues(failure.issues, systems));
  if (isEnded && failure) log.failed(held.key, failure);
  return isEnded ? "over" : "lost";
}
