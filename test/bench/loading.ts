// How fast new patients are loaded, beside creating them one by one: npm run bench:loading
import { parseArgs } from "node:util";
import { onServer, prepareDatabase } from "./database.ts";
import { Generator } from "./load/generator.ts";
import { familySeconds, parentPid, processorSeconds } from "./processor-time.ts";
import { profileFlags } from "./servers.ts";
import { startService } from "./service.ts";
import { type LoadingWay, loadingJobs, loadingWays } from "./workload/loading-jobs.ts";

const { values: options } = parseArgs({
  options: {
    patients: { type: "string", default: "20000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "3" },
    /** A folder for a .cpuprofile of the server. */
    profile: { type: "string" },
    /** Some of the ways, separated by commas. */
    only: { type: "string", default: Object.keys(loadingWays).join(",") },
  },
});
const ways = Object.entries(loadingWays).filter(([name]) => options.only.split(",").includes(name));

const HEADING = "patients a second, µs each of the server and of the database, ratio to single creations";

/** Patients a second, and the processor time of server and database for each, in microseconds. */
interface Rate {
  readonly perSecond: number;
  readonly server: number;
  readonly database: number;
}

const database = await prepareDatabase(Number(options.patients), (line) => console.error(line));
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
  try {
    const jobs = loadingJobs(server);
    for (const [name] of ways) await generator.define(name, jobs[name as keyof typeof jobs]);
    // The first round warms up.
    for (let round = 0; round <= Number(options.rounds); round++) {
      const rates = new Map<string, Rate>();
      for (const [name, way] of ways) rates.set(name, await rateOf(name, way, [server.pid]));
      if (round > 0) console.log([HEADING, ...lines(rates)].join("\n"));
    }
  } finally {
    await server.stop();
  }
}

async function rateOf(
  name: string,
  { inFlight, patients }: LoadingWay,
  pids: readonly number[],
): Promise<Rate> {
  const load = { concurrency: inFlight, seconds: Number(options.seconds) };
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

/** Each way with its ratio to single creations over the same protocol. */
function lines(rates: ReadonlyMap<string, Rate>): string[] {
  return [...rates].map(([name, { perSecond, server, database }]) => {
    const single = rates.get(loadingWays[name as keyof typeof loadingWays].single);
    const ratio = single ? `${(perSecond / single.perSecond).toFixed(1)} times` : "";
    const cells = [
      name.padEnd(12),
      ...[perSecond, server, database].map((one) => one.toFixed(0).padStart(6)),
    ];
    return [...cells, ratio].join(" ");
  });
}
