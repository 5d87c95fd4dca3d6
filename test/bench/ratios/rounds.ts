import { median } from "../figures/median.ts";
import type { Generator } from "../load/generator.ts";
import type { Measurement } from "../load/job.ts";
import { processorSeconds } from "../servers/processor-time.ts";
import type { Servers } from "../servers/servers.ts";
import type { Jobs } from "../workload/jobs.ts";
import type { Options } from "./options.ts";
import type { RequestScenario, Way } from "./scenarios.ts";

/** Medians of the rounds. */
export interface Figures {
  readonly scenario: RequestScenario;
  readonly way: Way;
  readonly operationsPerSecond: number;
  /** Of an answer, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Operations per second to those of the yardstick in the same round. */
  readonly ratio: number;
  /** Processor time of the serving processes for one operation, without the database; where the system tells. */
  readonly processorMicroseconds: number | undefined;
  /** Processor time of the load generator as a share of the run. */
  readonly generatorLoad: number;
  /** Operations per second of each round. */
  readonly rounds: readonly number[];
}

interface Round extends Measurement {
  readonly rate: number;
  readonly serverSeconds: number | undefined;
}

/** Measures the ways in turn, yardstick first, in several rounds, after a warm-up of each. */
export async function measure(
  scenario: RequestScenario,
  jobs: Jobs,
  servers: Servers,
  generator: Generator,
  { concurrency, seconds, warmUpSeconds, rounds: count, ways }: Options,
): Promise<Figures[]> {
  const rounds = new Map<Way, Round[]>(ways.map((way) => [way, []]));
  for (const way of ways) {
    await generator.define(name(scenario, way), jobs[way]);
    await generator.run(name(scenario, way), { concurrency, seconds: warmUpSeconds });
  }
  for (let round = 0; round < count; round++) {
    for (const way of ways) {
      const before = processorSeconds(servers.byWay[way].pids);
      const measurement = await generator.run(name(scenario, way), { concurrency, seconds });
      const after = processorSeconds(servers.byWay[way].pids);
      rounds.get(way)?.push({
        ...measurement,
        rate: measurement.operations / measurement.seconds,
        serverSeconds: before === undefined || after === undefined ? undefined : after - before,
      });
    }
  }
  const yardstick = rounds.get("yardstick") ?? [];
  return ways.map((way) => figures(scenario, way, rounds.get(way) ?? [], yardstick));
}

function name(scenario: RequestScenario, way: Way): string {
  return `${scenario}, ${way}`;
}

function figures(
  scenario: RequestScenario,
  way: Way,
  rounds: readonly Round[],
  yardstick: readonly Round[],
): Figures {
  const used = rounds.flatMap(({ serverSeconds, operations }) =>
    serverSeconds === undefined ? [] : (serverSeconds / operations) * 1e6,
  );
  return {
    scenario,
    way,
    operationsPerSecond: median(rounds.map(({ rate }) => rate)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    ratio: median(rounds.map(({ rate }, round) => rate / (yardstick[round]?.rate ?? Number.NaN))),
    processorMicroseconds: used.length > 0 ? median(used) : undefined,
    generatorLoad: median(rounds.map(({ generatorLoad }) => generatorLoad)),
    rounds: rounds.map(({ rate }) => rate),
  };
}
