// Whether the memory of a process stays as it is under load: npm run bench:memory -- --minutes 10
import { setTimeout as delay } from "node:timers/promises";
import { aligned } from "./aligned.ts";
import { prepareDatabase } from "./database.ts";
import { Generator } from "./load/generator.ts";
import type { Job, Outcome } from "./load/job.ts";
import { freePort, Heap } from "./memory/heap.ts";
import { type Growth, growthOf, residentBytes, type Sample } from "./memory/samples.ts";
import { parseNumbers } from "./numbers.ts";
import type { RequestScenario } from "./scenarios.ts";
import { type RunningService, startService } from "./service.ts";
import { fhirJobOf } from "./workload/jobs.ts";

/** What of the last two thirds of the run may be more than when they began. */
const BARS = { resident: 0.1, heap: 0.05 };

/** Requests of each kind among those that are sent at random. */
const MIX: Readonly<Record<RequestScenario, number>> = { read: 2000, search: 1000, create: 500, update: 500 };

const SAMPLES = 60;
/** The heap is collected to be measured, which must not be what keeps it small. */
const SAMPLES_A_COLLECTION = 5;
const CAPACITY = { concurrency: 32, seconds: 5 };
const CONNECTIONS = 256;
const MIXED = "mixed";

/** The rate is half of the capacity unless it is given. */
const options = parseNumbers({ patients: 20_000, minutes: 10, rate: Number.NaN });

const database = await prepareDatabase(options.patients, console.error);
try {
  await measure();
} finally {
  await database.drop();
}

async function measure(): Promise<void> {
  const inspector = await freePort();
  const service = await startService({ DATABASE_URL: database.url, MPI_KEY_FILE: database.keyFile }, [
    `--inspect=127.0.0.1:${inspector}`,
  ]);
  const generator = new Generator();
  const heap = await Heap.open(inspector);
  try {
    await generator.define(MIXED, await mixedJob(service));
    await generator.run(MIXED, CAPACITY);
    const perSecond = Number.isNaN(options.rate) ? await halfOfCapacity(generator) : options.rate;
    console.error(`${perSecond.toFixed(0)} requests a second for ${options.minutes} minutes`);
    const seconds = options.minutes * 60;
    const offered = generator.offer(MIXED, { perSecond, seconds, connections: CONNECTIONS });
    const samples = await sampleAll(service.pid, heap, seconds);
    tell(samples, await offered);
  } finally {
    heap.close();
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

async function sampleAll(pid: number, heap: Heap, seconds: number) {
  const resident: Sample[] = [];
  const used: Sample[] = [];
  const startedAt = performance.now();
  const at = () => (performance.now() - startedAt) / 1000;
  for (let n = 0; n <= SAMPLES; n++) {
    await delay(Math.max(0, (seconds * 1000 * n) / SAMPLES - at() * 1000));
    resident.push({ at: at(), bytes: residentBytes(pid) });
    if (n % SAMPLES_A_COLLECTION === 0) used.push({ at: at(), bytes: await heap.usedAfterCollection() });
  }
  return { resident: growthOf(resident), heap: growthOf(used) };
}

function tell(growth: Readonly<Record<keyof typeof BARS, Growth>>, outcome: Outcome): void {
  const answered = outcome.answers.reduce((sum, { count }) => sum + count, 0);
  const perSecond = answered / outcome.seconds;
  const head = ["", "start MB", "middle MB", "end MB", "kB/1,000 requests", "last two thirds", "bar"];
  const names = Object.keys(BARS) as (keyof typeof BARS)[];
  const rows = names.map((name) => {
    const { start, middle, end, slope, share } = growth[name];
    const sizes = [start, middle, end].map((bytes) => (bytes / 2 ** 20).toFixed(1));
    const perThousand = ((slope / perSecond) * 1000) / 1024;
    return [name, ...sizes, perThousand.toFixed(2), percent(share), percent(BARS[name])];
  });
  console.log(aligned([head, ...rows], 1).join("\n"));
  const statuses = outcome.answers.map(({ status, count }) => `${count} answers ${status}`);
  console.log(`${perSecond.toFixed(0)} requests a second: ${statuses.join(", ")}; ${outcome.unsent} unsent`);
  for (const name of names) {
    if (growth[name].share <= BARS[name]) continue;
    console.error(
      `Below its bar: ${name} memory grew by ${percent(growth[name].share)}; ${percent(BARS[name])} is flat`,
    );
    process.exitCode = 1;
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
