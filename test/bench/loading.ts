// How fast new patients are loaded, beside creating them one by one: npm run bench:loading
import { commandLine, orEndWithUsage } from "../../src/settings/command-line.ts";
import { onServer } from "../on-server.ts";
import { positive } from "./figures/numbers.ts";
import { Generator } from "./load/generator.ts";
import { prepareDatabase } from "./servers/database.ts";
import { familySeconds, parentPid, processorSeconds } from "./servers/processor-time.ts";
import { profileFlags, startYardstick } from "./servers/servers.ts";
import { startService } from "./servers/service.ts";
import { type LoadingWay, loadingJobs, loadingWays, rowsAlone } from "./workload/loading-jobs.ts";

const USAGE = `npm run bench:loading -- [options]: new patients in bulk, beside one by one

  --patients N   people in the database before (20000)
  --rounds N     measurements of each way (3)
  --seconds N    length of a measurement (3)
  --only A,B     of ${Object.keys(loadingWays).join(", ")}
  --profile DIR  writes a processor profile of the server there (.cpuprofile)`;

const text = { type: "string" } as const;
const { values } = commandLine(USAGE, {
  patients: { ...text, default: "20000" },
  rounds: { ...text, default: "3" },
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

const HEADING = "patients a second, µs each of the server and of the database, ratio to single creations";

/** Patients a second, and the processor time of server and database for each, in microseconds. */
interface Rate {
  readonly perSecond: number;
  readonly server: number;
  readonly database: number;
}

const database = await prepareDatabase(options.patients, (line) => console.error(line));
const generator = new Generator();
try {
  await measure();
} finally {
  generator.stop();
  await database.drop();
}

async function measure(): Promise<void> {
  const { url, keyFile } = database;
  const server = await startService(
    { DATABASE_URL: url, MPI_KEY_FILE: keyFile },
    profileFlags(options.profile),
  );
  const yardstick = await startYardstick(database, undefined);
  try {
    const jobs = { ...loadingJobs(server), "rows alone": rowsAlone(yardstick.port) };
    for (const [name, { job }] of options.ways) await generator.define(name, jobs[job]);
    // The first round warms up.
    for (let round = 0; round <= options.rounds; round++) {
      const rates = new Map<string, Rate>();
      for (const [name, way] of options.ways)
        rates.set(name, await rateOf(name, way, [server.pid, yardstick.pid]));
      if (round > 0) console.log([HEADING, ...lines(rates)].join("\n"));
    }
  } finally {
    await Promise.all([server.stop(), yardstick.stop()]);
  }
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

/** Each way with its ratio to single creations over the same protocol. */
function lines(rates: ReadonlyMap<string, Rate>): string[] {
  return [...rates].map(([name, { perSecond, server, database }]) => {
    const single = rates.get(loadingWays[name]?.single ?? "");
    const ratio = single ? `${(perSecond / single.perSecond).toFixed(1)} times` : "";
    const cells = [
      name.padEnd(15),
      ...[perSecond, server, database].map((one) => one.toFixed(0).padStart(6)),
    ];
    return [...cells, ratio].join(" ");
  });
}
