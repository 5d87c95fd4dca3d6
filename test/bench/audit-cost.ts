// What the audit trail costs: npm run bench:audit
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { commandLine } from "../../src/settings/command-line.ts";
import { median } from "./figures/median.ts";
import { Generator } from "./load/generator.ts";
import { type BenchDatabase, prepareDatabase } from "./servers/database.ts";
import { processorSeconds } from "./servers/processor-time.ts";
import { type RunningService, startService } from "./servers/service.ts";
import { httpRequest } from "./workload/http-request.ts";
import { sampleIds } from "./workload/material.ts";

const PATIENTS = 20_000;
/** Many short rounds: a machine that is shared changes its speed from one second to the next. */
const ROUNDS = 20;
const SECONDS = 1;
const WARM_UP_SECONDS = 6;
/** Requests in flight. Entries are committed in groups: the more calls wait, the more share a commit. */
const CONCURRENCIES = [32, 64, 128];
/** The share of the read rate that the trail may cost. */
const BAR = 0.25;
/** With so many in flight the service has always work; with fewer the rate tells how long each waits for the disk. */
const BUSY_FROM = 64;

type Trail = "on" | "off";
const trails: readonly Trail[] = ["off", "on"];

interface Round {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the service for one read, in microseconds; where the system tells. */
  readonly processor: number | undefined;
}

interface Measured {
  readonly concurrency: number;
  readonly rounds: Readonly<Record<Trail, Round[]>>;
}

commandLine("npm run bench:audit: reads with the audit trail, and without; it takes no options");
const database = await prepareDatabase(PATIENTS, (line) => console.error(line));
try {
  const measured = await measure(database);
  console.log(table(measured));
  if (measured.some((one) => one.concurrency >= BUSY_FROM && toOff(one, "on") < 1 - BAR))
    process.exitCode = 1;
} finally {
  await database.drop();
}

/** Both services on one database; each round measures the one and then the other. */
async function measure(prepared: BenchDatabase): Promise<Measured[]> {
  const { url, keyFile } = prepared;
  const start = (trail: Trail) =>
    startService({ DATABASE_URL: url, MPI_KEY_FILE: keyFile, MPI_AUDIT: trail });
  const services: Record<Trail, RunningService> = { on: await start("on"), off: await start("off") };
  const generator = new Generator();
  const measured = CONCURRENCIES.map(
    (concurrency): Measured => ({ concurrency, rounds: { on: [], off: [] } }),
  );
  try {
    const ids = await sampleIds(prepared);
    for (const trail of trails) await define(generator, trail, services[trail], ids);
    await backfilled(prepared);
    for (const trail of trails) await generator.run(trail, { concurrency: 32, seconds: WARM_UP_SECONDS });
    for (let round = 0; round < ROUNDS; round++) {
      for (const { concurrency, rounds } of measured) {
        for (const trail of trails) {
          rounds[trail].push(await measureRound(generator, trail, concurrency, services[trail]));
        }
      }
    }
    return measured;
  } finally {
    generator.stop();
    await Promise.all(trails.map((trail) => services[trail].stop()));
  }
}

/** Seeded people get their block keys in the background, by one of the two: it is not to be measured. */
async function backfilled({ url }: BenchDatabase): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const finished = "SELECT FROM block_key_backfill WHERE finished_at IS NOT NULL";
    while ((await client.query(finished)).rowCount === 0) await delay(500);
  } finally {
    await client.end();
  }
}

async function define(
  generator: Generator,
  trail: Trail,
  { port, caller }: RunningService,
  ids: readonly (string | bigint)[],
): Promise<void> {
  const requests = ids.map((id) => httpRequest(port, "GET", `/fhir/Patient/${id}`, caller));
  await generator.define(trail, { protocol: "http", port, path: "", requests });
}

async function measureRound(
  generator: Generator,
  trail: Trail,
  concurrency: number,
  { pid }: RunningService,
): Promise<Round> {
  const before = processorSeconds([pid]);
  const { operations, seconds, p50, p99 } = await generator.run(trail, { concurrency, seconds: SECONDS });
  const after = processorSeconds([pid]);
  const used = before === undefined || after === undefined ? undefined : after - before;
  return {
    rate: operations / seconds,
    p50,
    p99,
    processor: used === undefined ? undefined : (used / operations) * 1e6,
  };
}

function table(measured: readonly Measured[]): string {
  return [
    "| in flight | audit trail | reads a second | to off | p50 ms | p99 ms | processor us a read |",
    "| ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ...measured.flatMap((one) => trails.map((trail) => row(one, trail))),
    "",
    `The bar is ${(1 - BAR).toFixed(2)} with ${BUSY_FROM} in flight and more.`,
  ].join("\n");
}

/** Each round is compared with the one beside it. */
function toOff({ rounds }: Measured, trail: Trail): number {
  return median(rounds[trail].map(({ rate }, round) => rate / (rounds.off[round]?.rate ?? Number.NaN)));
}

function row(measured: Measured, trail: Trail): string {
  const { concurrency, rounds } = measured;
  const figure = (of: (round: Round) => number) => median(rounds[trail].map(of));
  const figures = [
    figure(({ rate }) => rate).toFixed(0),
    toOff(measured, trail).toFixed(2),
    figure(({ p50 }) => p50).toFixed(1),
    figure(({ p99 }) => p99).toFixed(1),
    figure(({ processor = Number.NaN }) => processor).toFixed(0),
  ];
  return `| ${[concurrency, trail, ...figures].join(" | ")} |`;
}
