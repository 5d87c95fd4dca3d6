// Whether the memory of a process stays as it is under load: npm run bench:memory -- --minutes 10
import { setTimeout as delay } from "node:timers/promises";
import { aligned } from "./figures/aligned.ts";
import { parseNumbers } from "./figures/numbers.ts";
import { Generator } from "./load/generator.ts";
import type { Job, Outcome } from "./load/job.ts";
import { usageAfterCollection } from "./memory/heap.ts";
import { type Growth, growthOf, residentBytes, type Sample } from "./memory/samples.ts";
import type { RequestScenario } from "./ratios/scenarios.ts";
import { prepareDatabase } from "./servers/database.ts";
import { freePort, Inspector, inspectorFlags } from "./servers/inspector.ts";
import { type RunningService, startService } from "./servers/service.ts";
import { fhirJobOf } from "./workload/jobs.ts";

/** How much more there may be at the end of the last two thirds of the run than when they began, as a share. */
const BARS = { heap: 0.05, buffers: 0.05, resident: 0.1 };
/** What is looked at before a collection, garbage and all; it is shown. */
const SHOWN = "resident before";

/** Requests of each kind among those that are sent at random. */
const MIX: Readonly<Partial<Record<RequestScenario, number>>> = {
  read: 2000,
  search: 1000,
  create: 500,
  update: 500,
};

/** Seldom: the heap is collected for them, which must not be what keeps it small. */
const SAMPLES = 20;
const CAPACITY = { concurrency: 32, seconds: 5 };
const CONNECTIONS = 256;
const MIXED = "mixed";

const measures = ["heap", "buffers", "resident"] as const;

type Growths = Readonly<Record<(typeof measures)[number] | typeof SHOWN, Growth>>;

/** The rate is half of the capacity unless it is given. */
const options = parseNumbers(
  "npm run bench:memory -- [options]: whether the memory of a process stays as it is under load",
  { patients: 20_000, minutes: 10, rate: Number.NaN },
);

const database = await prepareDatabase(options.patients, console.error);
try {
  await measure();
} finally {
  await database.drop();
}

async function measure(): Promise<void> {
  const port = await freePort();
  const { url, keyFile } = database;
  const service = await startService({ DATABASE_URL: url, MPI_KEY_FILE: keyFile }, inspectorFlags(port));
  const generator = new Generator();
  const inspector = await Inspector.open(port);
  try {
    await generator.define(MIXED, await mixedJob(service));
    await generator.run(MIXED, CAPACITY);
    const perSecond = Number.isNaN(options.rate) ? await halfOfCapacity(generator) : options.rate;
    console.error(`${perSecond.toFixed(0)} requests a second for ${options.minutes} minutes`);
    const seconds = options.minutes * 60;
    const offered = generator.offer(MIXED, { perSecond, seconds, connections: CONNECTIONS });
    const samples = await sampleAll(service.pid, inspector, seconds);
    tell(samples, await offered);
  } finally {
    inspector.close();
    generator.stop();
    await service.stop();
  }
}

async function mixedJob(service: RunningService): Promise<Job> {
  const all: Job[] = [];
  for (const [scenario, count] of Object.entries(MIX)) {
    const job = await fhirJobOf(scenario as RequestScenario, database, service, options.patients);
    const { requests } = job;
    const repeated = Array.from({ length: count }, (_, n) => requests[n % requests.length] ?? []);
    all.push({ ...job, requests: repeated as Uint8Array[] });
  }
  return Object.assign({}, ...all, { requests: all.flatMap(({ requests }) => requests) });
}

async function halfOfCapacity(generator: Generator): Promise<number> {
  const { operations, seconds } = await generator.run(MIXED, CAPACITY);
  return operations / seconds / 2;
}

async function sampleAll(pid: number, inspector: Inspector, seconds: number): Promise<Growths> {
  const samples: Record<keyof Growths, Sample[]> = { heap: [], buffers: [], resident: [], [SHOWN]: [] };
  const startedAt = performance.now();
  for (let n = 0; n <= SAMPLES; n++) {
    await delay(Math.max(0, (seconds * 1000 * n) / SAMPLES - (performance.now() - startedAt)));
    const at = (performance.now() - startedAt) / 1000;
    const before = residentBytes(pid);
    const usage = await usageAfterCollection(inspector);
    for (const name of measures) samples[name].push({ at, bytes: usage[name] });
    samples[SHOWN].push({ at, bytes: before });
    const sizes = measures.map((name) => `${name} ${megabytes(usage[name])} MB`);
    console.error(`${at.toFixed(0)} s: ${sizes.join(", ")}; before the collection ${megabytes(before)} MB`);
  }
  const { heap: used, buffers, resident } = samples;
  return {
    heap: growthOf(used),
    buffers: growthOf(buffers),
    resident: growthOf(resident),
    [SHOWN]: growthOf(samples[SHOWN]),
  };
}

function tell(growths: Growths, outcome: Outcome): void {
  const answered = outcome.answers.reduce((sum, { count }) => sum + count, 0);
  const perSecond = answered / outcome.seconds;
  const head = ["", "start MB", "middle MB", "end MB", "kB/1,000 requests", "last two thirds", "bar"];
  const rows = ([...measures, SHOWN] as const).map((name) => {
    const { start, middle, end, slope, share } = growths[name];
    const perThousand = ((slope / perSecond) * 1000) / 1024;
    const bar = name === SHOWN ? "" : percent(BARS[name]);
    return [name, ...[start, middle, end].map(megabytes), perThousand.toFixed(2), percent(share), bar];
  });
  console.log(aligned([head, ...rows], 1).join("\n"));
  const statuses = outcome.answers.map(({ status, count }) => `${count} answers ${status}`);
  console.log(`${perSecond.toFixed(0)} requests a second: ${statuses.join(", ")}; ${outcome.unsent} unsent`);
  for (const name of measures) {
    if (growths[name].share <= BARS[name]) continue;
    console.error(
      `Below its bar: ${name} grew by ${percent(growths[name].share)}; ${percent(BARS[name])} is flat`,
    );
    process.exitCode = 1;
  }
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
