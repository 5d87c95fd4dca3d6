import type { ErrorSystems, MpiError } from "../errors/index.ts";
import { FoundProblems } from "./found-problems.ts";
import type { JobType } from "./job-type.ts";
import type { JobStore } from "./ports.ts";

/** Where the state of standing work is kept. */
export interface StandingWork {
  readonly store: Pick<JobStore, "noteRound">;
  readonly systems: ErrorSystems;
  readonly now: () => Date;
}

/**
 * Does a round of the standing work of a type, and adds to its state how many things it did and what was wrong. A round
 * that did nothing costs nothing.
 */
export async function standingRound(
  { store, systems, now }: StandingWork,
  type: JobType,
  round: (problem: (error: MpiError) => void) => Promise<number>,
): Promise<void> {
  const found = new FoundProblems(systems);
  const note = async (done: number) => {
    const findings = found.take();
    if (done > 0 || findings.problems > 0) await store.noteRound(type, done, findings, now());
  };
  let done: number;
  try {
    done = await round((error) => found.add(error));
  } catch (failure) {
    await note(0).catch((cause: unknown) => {
      const message = "A round failed, and its problems were not stored.";
      throw new AggregateError([failure, cause], message, { cause: failure });
    });
    throw failure;
  }
  await note(done);
}
