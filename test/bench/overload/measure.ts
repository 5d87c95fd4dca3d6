import { setTimeout as delay } from "node:timers/promises";
import type { Generator } from "../load/generator.ts";
import type { Outcome } from "../load/job.ts";
import { median } from "../median.ts";
import { processorSeconds } from "../processor-time.ts";
import type { RequestScenario } from "../scenarios.ts";

/** What a service takes, what it did when more was asked, and how it was afterwards. */
export interface Overloaded {
  readonly scenario: RequestScenario;
  /** Answers a second, with 32 in flight. */
  readonly capacity: number;
  /** In milliseconds, at capacity. */
  readonly p50: number;
  readonly outcome: Outcome;
  /** Processor time of the service for one request of the overload, refused or not, in microseconds. */
  readonly processorMicroseconds: number | undefined;
  /** Milliseconds after the overload until the median answer was no slower than it had been; undefined if never. */
  readonly recoveredMs: number | undefined;
}

export interface OverloadOptions {
  /** How many times the capacity is offered. */
  readonly times: number;
  readonly seconds: number;
  readonly connections: number;
}

const CONCURRENCY = 32;
const CAPACITY_ROUNDS = 3;
const CAPACITY_SECONDS = 3;
/** Afterwards it is looked at in short runs, until it is as it was. */
const LOOK_SECONDS = 0.25;
const LOOKS = 40;
/** A median this much slower is the same: short runs differ. */
const AS_BEFORE = 1.5;
const PAUSE_MS = 1000;

/** Finds the capacity for a job that was defined, then offers a multiple of it, then watches the recovery. */
export async function overload(
  scenario: RequestScenario,
  pid: number,
  generator: Generator,
  { times, seconds, connections }: OverloadOptions,
): Promise<Overloaded> {
  const rounds = [];
  // The first run warms up.
  for (let round = 0; round <= CAPACITY_ROUNDS; round++) {
    rounds.push(await generator.run(scenario, { concurrency: CONCURRENCY, seconds: CAPACITY_SECONDS }));
  }
  const measured = rounds.slice(1);
  const capacity = median(measured.map((run) => run.operations / run.seconds));
  const p50 = median(measured.map((run) => run.p50));
  await delay(PAUSE_MS);
  const before = processorSeconds([pid]);
  const outcome = await generator.offer(scenario, { perSecond: capacity * times, seconds, connections });
  const after = processorSeconds([pid]);
  const used = before === undefined || after === undefined ? undefined : after - before;
  return {
    scenario,
    capacity,
    p50,
    outcome,
    processorMicroseconds: used && (used / (outcome.offered - outcome.unsent)) * 1e6,
    recoveredMs: await recovery(scenario, generator, p50 * AS_BEFORE),
  };
}

/** The end of the first short run whose median is good again; its length is counted in. */
async function recovery(scenario: string, generator: Generator, goodMs: number): Promise<number | undefined> {
  const startedAt = performance.now();
  for (let look = 0; look < LOOKS; look++) {
    const { p50 } = await generator.run(scenario, { concurrency: CONCURRENCY, seconds: LOOK_SECONDS });
    if (p50 <= goodMs) return performance.now() - startedAt;
  }
  return undefined;
}
