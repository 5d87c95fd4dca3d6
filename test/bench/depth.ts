// How cost grows with what one patient has: npm run bench:depth -- --only groups,versions
import { writeFile } from "node:fs/promises";
import { commandLine, orEndWithUsage } from "../../src/settings/command-line.ts";
import { contacts, observations } from "./depth/dependents.ts";
import type { Dimension, Place } from "./depth/dimension.ts";
import { endedLinks } from "./depth/ended-links.ts";
import { feed } from "./depth/feed.ts";
import { groups } from "./depth/groups.ts";
import { type Growth, growthsOf } from "./depth/growth-of.ts";
import { identifiers } from "./depth/identifiers.ts";
import { missed, table } from "./depth/table.ts";
import { trail } from "./depth/trail.ts";
import { versions } from "./depth/versions.ts";
import { positive } from "./figures/numbers.ts";
import { Generator } from "./load/generator.ts";
import { type BenchDatabase, prepareDatabase } from "./servers/database.ts";
import { startService } from "./servers/service.ts";
import { fhirJobOf } from "./workload/jobs.ts";

const dimensions: readonly Dimension[] = [
  groups,
  endedLinks,
  versions,
  identifiers,
  contacts,
  observations,
  trail,
  feed,
];
const names = dimensions.map(({ name }) => name);

const text = { type: "string" } as const;
const USAGE = `npm run bench:depth -- [options]: how cost grows with groups, versions and whatever else one patient has

  --patients N   people in the database besides (20000)
  --only A,B     of ${names.join(", ")}
  --largest N    sizes beyond it are left out
  --rounds N     measurements of each size, taken in turn (9)
  --seconds N    length of a measurement (0.2)
  --warm-up N    seconds of each kind of request before (2)
  --json FILE    writes the figures there too`;

const { values } = commandLine(USAGE, {
  patients: { ...text, default: "20000" },
  only: { ...text, default: names.join(",") },
  largest: { ...text, default: "2000000" },
  rounds: { ...text, default: "9" },
  seconds: { ...text, default: "0.2" },
  "warm-up": { ...text, default: "2" },
  json: text,
});
const options = orEndWithUsage(USAGE, () => ({
  patients: positive("--patients", values.patients),
  only: values.only.split(",").map(dimensionOf),
  largest: positive("--largest", values.largest),
  rounds: positive("--rounds", values.rounds),
  seconds: positive("--seconds", values.seconds),
  warmUp: positive("--warm-up", values["warm-up"]),
}));

const database = await prepareDatabase(options.patients, console.error);
try {
  const growths = await measureAll(database);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(growths, undefined, 2)}\n`);
  const misses = missed(growths);
  for (const miss of misses) console.error(`Beyond its bar: ${miss}`);
  if (misses.length > 0) process.exitCode = 1;
} finally {
  await database.drop();
}

async function measureAll(prepared: BenchDatabase): Promise<Growth[]> {
  const settings = { DATABASE_URL: prepared.url, MPI_KEY_FILE: prepared.keyFile };
  const service = await startService(settings);
  const unaudited = await startService({ ...settings, MPI_AUDIT: "off" });
  const generator = new Generator();
  const place: Place = { database: prepared, service, unaudited };
  try {
    for (const scenario of ["read", "search", "create", "update"] as const) {
      await generator.define(scenario, await fhirJobOf(scenario, prepared, service, options.patients));
      await generator.run(scenario, { concurrency: 32, seconds: options.warmUp });
    }
    const all: Growth[] = [];
    for (const dimension of options.only) {
      const sizes = dimension.sizes.filter((size) => size <= options.largest);
      if (sizes.length === 0) continue;
      console.error(`Measuring: ${dimension.name}`);
      const growths = await growthsOf(place, generator, dimension, sizes, options);
      console.log(`${table(dimension, growths)}\n`);
      all.push(...growths);
    }
    return all;
  } finally {
    generator.stop();
    await unaudited.stop();
    await service.stop();
  }
}

function dimensionOf(name: string): Dimension {
  const found = dimensions.find((one) => one.name === name);
  if (!found) throw new Error(`--only knows ${names.join(", ")}, and not ${name}.`);
  return found;
}
