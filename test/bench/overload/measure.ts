import { setTimeout as delay } from "node:timers/promises";
import { median } from "../figures/median.ts";
import type { Generator } from "../load/generator.ts";
import type { Measurement, Outcome } from "../load/job.ts";
import type { RequestScenario } from "../ratios/scenarios.ts";
import { processorSeconds } from "../servers/processor-time.ts";

/** What a service takes, what it did when more was asked, and how it was afterwards. */
export interface Overloaded {
  readonly scenario: RequestScenario;
  /** Answers a second with 32 in flight, before and after. */
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

const CAPACITY = { concurrency: 32, seconds: 3 };
/** Before the overload, and after it. */
const CAPACITY_ROUNDS = 2;
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
  // The first run warms up.
  await generator.run(scenario, CAPACITY);
  const rounds = await capacityRounds(scenario, generator);
  const p50 = median(rounds.map((run) => run.p50));
  const perSecond = times * median(rounds.map(rateOf));
  await delay(PAUSE_MS);
  const before = processorSeconds([pid]);
  const outcome = await generator.offer(scenario, { perSecond, seconds, connections });
  const after = processorSeconds([pid]);
  const used = before === undefined || after === undefined ? undefined : after - before;
  const recoveredMs = await recovery(scenario, generator, p50 * AS_BEFORE);
  // Again, so that what else happens on the machine falls on both.
  rounds.push(...(await capacityRounds(scenario, generator)));
  return {
    scenario,
    capacity: median(rounds.map(rateOf)),
    p50,
    outcome,
    processorMicroseconds: used && (used / (outcome.offered - outcome.unsent)) * 1e6,
    recoveredMs,
  };
}

async function capacityRounds(scenario: string, generator: Generator): Promise<Measurement[]> {
  const rounds: Measurement[] = [];
  while (rounds.length < CAPACITY_ROUNDS) rounds.push(await generator.run(scenario, CAPACITY));
  return rounds;
}

function rateOf({ operations, seconds }: Measurement): number {
  return operations / seconds;
}

/** The end of the first short run whose median is good again; its length is counted in. */
async function recovery(scenario: string, generator: Generator, goodMs: number): Promise<number | undefined> {
  const startedAt = performance.now();
  for (let look = 0; look < LOOKS; look++) {
    const { p50 } = await generator.run(scenario, { ...CAPACITY, seconds: LOOK_SECONDS });
    if (p50 <= goodMs) return performance.now() - startedAt;
  }
  return undefined;
}
