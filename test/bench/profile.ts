// Where the time of each hot path goes: npm run bench:profile -- --help
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandLine, orEndWithUsage } from "../../src/settings/command-line.ts";
import { aligned } from "./figures/aligned.ts";
import { positive } from "./figures/numbers.ts";
import { Generator } from "./load/generator.ts";
import { areas } from "./profile/areas.ts";
import { type HotPath, hotPaths } from "./profile/hot-paths.ts";
import { type CpuProfile, type Shares, sharesOf } from "./profile/shares.ts";
import { prepareDatabase } from "./servers/database.ts";
import { freePort, Inspector, inspectorFlags } from "./servers/inspector.ts";
import { startService } from "./servers/service.ts";

const USAGE = `npm run bench:profile -- [options]: where the time of the thread with gateway and core goes

  --patients N  people in the database (20000)
  --warm-up N   seconds for which each path is asked before (6)
  --seconds N   seconds for which it is looked at (6)
  --only A,B    of ${Object.keys(hotPaths).join(", ")}
  --write DIR   writes a .cpuprofile of each path there, for a browser's developer tools`;

const text = { type: "string" } as const;
const { values } = commandLine(USAGE, {
  patients: { ...text, default: "20000" },
  "warm-up": { ...text, default: "6" },
  seconds: { ...text, default: "6" },
  only: { ...text, default: Object.keys(hotPaths).join(",") },
  write: text,
});
const options = orEndWithUsage(USAGE, () => ({
  patients: positive("--patients", values.patients),
  warmUp: positive("--warm-up", values["warm-up"]),
  seconds: positive("--seconds", values.seconds),
  paths: values.only.split(",").map(pathOf),
  folder: values.write,
}));

/** Often enough for functions of a microsecond to be seen, seldom enough to cost little. */
const SAMPLING_MICROSECONDS = 200;

interface Profiled extends Shares {
  readonly name: string;
  /** Of the busy time, in microseconds. */
  readonly perOperation: number;
}

const database = await prepareDatabase(options.patients, console.error);
try {
  console.log(table(await profileAll()));
} finally {
  await database.drop();
}

async function profileAll(): Promise<Profiled[]> {
  const port = await freePort();
  const { url, keyFile } = database;
  const service = await startService({ DATABASE_URL: url, MPI_KEY_FILE: keyFile }, inspectorFlags(port));
  const generator = new Generator();
  const inspector = await Inspector.open(port);
  try {
    await inspector.ask("Profiler.enable");
    await inspector.ask("Profiler.setSamplingInterval", { interval: SAMPLING_MICROSECONDS });
    const profiled: Profiled[] = [];
    for (const [name, path] of options.paths) {
      console.error(`Looking at: ${name}`);
      await generator.define(name, await path.job(database, service, options.patients));
      profiled.push(await profileOf(name, path, generator, inspector));
    }
    return profiled;
  } finally {
    inspector.close();
    generator.stop();
    await service.stop();
  }
}

async function profileOf(
  name: string,
  { inFlight, patients }: HotPath,
  generator: Generator,
  inspector: Inspector,
): Promise<Profiled> {
  await generator.run(name, { concurrency: inFlight, seconds: options.warmUp });
  await inspector.ask("Profiler.start");
  const { operations } = await generator.run(name, { concurrency: inFlight, seconds: options.seconds });
  const { profile } = await inspector.ask("Profiler.stop");
  if (options.folder !== undefined) await write(options.folder, name, profile);
  const shares = sharesOf(profile as CpuProfile);
  return { name, ...shares, perOperation: shares.busy / (operations * patients) };
}

async function write(folder: string, name: string, profile: unknown): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name.replaceAll(" ", "-")}.cpuprofile`), JSON.stringify(profile));
}

function table(profiled: readonly Profiled[]): string {
  const shown = (share: number | undefined) => `${((share ?? 0) * 100).toFixed(1)} %`;
  return aligned(
    [
      ["share of the busy time", ...profiled.map(({ name }) => name)],
      ...areas.map((area) => [area, ...profiled.map(({ byArea }) => shown(byArea.get(area)))]),
      ["µs for each read, search or patient", ...profiled.map(({ perOperation }) => perOperation.toFixed(0))],
    ],
    1,
  ).join("\n");
}

function pathOf(name: string): [name: string, path: HotPath] {
  const path = hotPaths[name];
  if (!path) throw new Error(`--only knows ${Object.keys(hotPaths).join(", ")}, and not ${name}.`);
  return [name, path];
}
