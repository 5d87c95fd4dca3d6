// How fast new patients are loaded, beside creating them one by one: npm run bench:loading
import { commandLine, orEndWithUsage } from "../../src/settings/command-line.ts";
import { onServer } from "../on-server.ts";
import { aligned } from "./figures/aligned.ts";
import { median } from "./figures/median.ts";
import { positive } from "./figures/numbers.ts";
import { Generator } from "./load/generator.ts";
import { prepareDatabase } from "./servers/database.ts";
import { familySeconds, parentPid, processorSeconds } from "./servers/processor-time.ts";
import { profileFlags, startYardstick } from "./servers/servers.ts";
import { startService } from "./servers/service.ts";
import { type LoadingWay, loadingJobs, loadingWays, rowsAlone } from "./workload/loading-jobs.ts";

const USAGE = `npm run bench:loading -- [options]: new patients in bulk, beside one by one

  --patients N   people in the database before (20000)
  --rounds N     measurements of each way (5)
  --seconds N    length of a measurement (3)
  --only A,B     of ${Object.keys(loadingWays).join(", ")}
  --profile DIR  writes a processor profile of the server there (.cpuprofile)`;

const text = { type: "string" } as const;
const { values } = commandLine(USAGE, {
  patients: { ...text, default: "20000" },
  rounds: { ...text, default: "5" },
  seconds: { ...text, default: "3" },
  only: { ...text, default: Object.keys(loadingWays).join(",") },
  profile: text,
});
const options = orEndWithUsage(USAGE, () => ({
  patients: positive("--patients", values.patients),
  rounds: positive("--rounds", values.rounds),
  seconds: positive("--seconds", values.seconds),
  ways: values.only.split(",").map(wayOf),
  profile: values.profile,
}));

/** Patients a second, and the processor time of server and database for each, in microseconds. */
interface Rate {
  readonly perSecond: number;
  readonly server: number;
  readonly database: number;
}

/** What was measured of a way, round by round. */
interface Measured {
  readonly name: string;
  readonly way: LoadingWay;
  readonly rates: readonly Rate[];
  /** To single creations of the same round; none where those were not measured. */
  readonly ratios: readonly number[];
}

const database = await prepareDatabase(options.patients, (line) => console.error(line));
const generator = new Generator();
try {
  const measured = await measure();
  console.log(table(measured));
  for (const { name, way, ratios } of measured) {
    if (median(ratios) >= (way.bar ?? 0) || ratios.length === 0) continue;
    console.error(`${name}: ${median(ratios).toFixed(1)} times single creations, the bar is ${way.bar}`);
    process.exitCode = 1;
  }
} finally {
  generator.stop();
  await database.drop();
}

async function measure(): Promise<Measured[]> {
  const { url, keyFile } = database;
  const server = await startService(
    { DATABASE_URL: url, MPI_KEY_FILE: keyFile },
    profileFlags(options.profile),
  );
  const yardstick = await startYardstick(database, undefined);
  try {
    const jobs = { ...loadingJobs(server), "rows alone": rowsAlone(yardstick.port) };
    for (const [name, { job }] of options.ways) await generator.define(name, jobs[job]);
    const rates = new Map<string, Rate[]>(options.ways.map(([name]) => [name, []]));
    // The first round warms up.
    for (let round = 0; round <= options.rounds; round++) {
      for (const [name, way] of options.ways) {
        const rate = await rateOf(name, way, [server.pid, yardstick.pid]);
        if (round > 0) rates.get(name)?.push(rate);
      }
    }
    return options.ways.map(([name, way]) => measuredOf(name, way, rates));
  } finally {
    await Promise.all([server.stop(), yardstick.stop()]);
  }
}

function measuredOf(name: string, way: LoadingWay, all: ReadonlyMap<string, readonly Rate[]>): Measured {
  const rates = all.get(name) ?? [];
  const singles = all.get(way.single) ?? [];
  const ratios = singles.map(({ perSecond }, round) => (rates[round]?.perSecond ?? Number.NaN) / perSecond);
  return { name, way, rates, ratios };
}

async function rateOf(
  name: string,
  { inFlight, patients }: LoadingWay,
  pids: readonly number[],
): Promise<Rate> {
  const load = { concurrency: inFlight, seconds: options.seconds };
  return await onServer(database.url, async (client) => {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const databaseServer = parentPid(rows[0]?.pid ?? 0);
    const taken = () => [processorSeconds(pids), familySeconds(databaseServer)] as const;
    const before = taken();
    const { operations, seconds } = await generator.run(name, load);
    const after = taken();
    const stored = operations * patients;
    const each = (which: 0 | 1) => (((after[which] ?? Number.NaN) - (before[which] ?? 0)) * 1e6) / stored;
    return { perSecond: stored / seconds, server: each(0), database: each(1) };
  });
}

function wayOf(name: string): [name: string, way: LoadingWay] {
  const found = Object.entries(loadingWays).find(([known]) => known === name);
  if (!found) throw new Error(`--only knows ${Object.keys(loadingWays).join(", ")}, and not ${name}.`);
  return found;
}

/** Medians; the ratio of each round behind that of all. */
function table(measured: readonly Measured[]): string {
  const head = ["way", "patients/s", "server µs", "database µs", "ratio", "of each round"];
  const rows = measured.map(({ name, rates, ratios }) => {
    const middle = (what: keyof Rate) => median(rates.map((rate) => rate[what])).toFixed(0);
    const each = ratios.map((ratio) => ratio.toFixed(1)).join(" ");
    const ratio = ratios.length === 0 ? "" : median(ratios).toFixed(1);
    return [name, middle("perSecond"), middle("server"), middle("database"), ratio, each];
  });
  return aligned([head, ...rows], 1).join("\n");
}
