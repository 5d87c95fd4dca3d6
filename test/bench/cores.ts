// How reads grow with the processes that serve them: npm run bench:cores
import { availableParallelism } from "node:os";
import { aligned } from "./figures/aligned.ts";
import { median } from "./figures/median.ts";
import { parseNumbers } from "./figures/numbers.ts";
import { Generator } from "./load/generator.ts";
import { type BenchDatabase, prepareDatabase } from "./servers/database.ts";
import { familySeconds } from "./servers/processor-time.ts";
import { type RunningService, startService } from "./servers/service.ts";
import { fhirJobOf } from "./workload/jobs.ts";

const CORES = availableParallelism();
const options = parseNumbers(
  "npm run bench:cores -- [options]: how reads grow with the processes that serve them",
  { patients: 20_000, workers: CORES, rounds: 15, seconds: 1, "warm-up": 6 },
);

/** In flight for each process. */
const CONCURRENCY = 32;
/** On fewer cores the bar of the rate is shown, and not held to. */
const BINDS_FROM_CORES = 4;
/** Of n times the rate of one process, n of them serve so much, while the database and the generator have as many cores as they. */
const LEAST_GROWTH = 0.8;

/** The service as so many processes. */
interface Served {
  readonly workers: number;
  readonly service: RunningService;
  readonly rounds: Round[];
}

interface Round {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of all its processes for one read, in microseconds. */
  readonly processor: number;
}

interface Figures extends Round {
  readonly workers: number;
  /** Reads a second to those of one process. */
  readonly growth: number;
}

const database = await prepareDatabase(options.patients, console.error);
try {
  const figures = await measure(database);
  console.log(table(figures));
  for (const { workers, growth } of figures.filter(missesItsBar)) {
    console.error(`${workers} processes serve ${growth.toFixed(2)} times what one does: too little`);
    process.exitCode = 1;
  }
} finally {
  await database.drop();
}

/** All are there at once; each round measures them in turn. */
async function measure(prepared: BenchDatabase): Promise<Figures[]> {
  const generator = new Generator();
  const all: Served[] = [];
  try {
    for (let workers = 1; workers <= options.workers; workers *= 2) {
      const one = { workers, service: await serviceOf(prepared, workers), rounds: [] };
      all.push(one);
      await generator.define(
        String(workers),
        await fhirJobOf("read", prepared, one.service, options.patients),
      );
      await generator.run(String(workers), loadOf(one, options["warm-up"]));
    }
    for (let round = 0; round < options.rounds; round++) {
      for (const one of all) one.rounds.push(await measureRound(generator, one));
    }
    return all.map((one) => figuresOf(one, all[0] ?? one));
  } finally {
    generator.stop();
    for (const { service } of all) await service.stop();
  }
}

function serviceOf({ url, keyFile }: BenchDatabase, workers: number): Promise<RunningService> {
  return startService({ DATABASE_URL: url, MPI_KEY_FILE: keyFile, MPI_WORKERS: String(workers) });
}

function loadOf({ workers }: Served, seconds: number) {
  return { concurrency: CONCURRENCY * workers, seconds };
}

async function measureRound(generator: Generator, one: Served): Promise<Round> {
  const used = () => familySeconds(one.service.pid) ?? Number.NaN;
  const before = used();
  const load = loadOf(one, options.seconds);
  const { operations, seconds, p50, p99 } = await generator.run(String(one.workers), load);
  return { rate: operations / seconds, p50, p99, processor: ((used() - before) / operations) * 1e6 };
}

function figuresOf({ workers, rounds }: Served, alone: Served): Figures {
  const middle = (of: (round: Round, at: number) => number) => median(rounds.map(of));
  return {
    workers,
    rate: middle(({ rate }) => rate),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    processor: middle(({ processor }) => processor),
    growth: middle(({ rate }, at) => rate / (alone.rounds[at]?.rate ?? Number.NaN)),
  };
}

function table(figures: readonly Figures[]): string {
  const head = ["processes", "reads/s", "to one", "p50 ms", "p99 ms", "server µs/read"];
  const rows = figures.map(({ workers, rate, growth, p50, p99, processor }) => [
    ...[String(workers), rate.toFixed(0), growth.toFixed(2)],
    ...[p50.toFixed(2), p99.toFixed(2), processor.toFixed(0)],
  ]);
  return aligned([head, ...rows], 0).join("\n");
}

function missesItsBar({ workers, growth }: Figures): boolean {
  return CORES >= BINDS_FROM_CORES && workers <= CORES / 2 && growth < LEAST_GROWTH * workers;
}
