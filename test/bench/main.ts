// Measures the index beside a yardstick on the same database: npm run bench -- --help
import { writeFile } from "node:fs/promises";
import { Generator } from "./load/generator.ts";
import { type Options, parseOptions } from "./ratios/options.ts";
import { machineOf, missed, type Report, table } from "./ratios/report.ts";
import { type Figures, measure } from "./ratios/rounds.ts";
import type { RequestScenario } from "./ratios/scenarios.ts";
import { prepareDatabase } from "./servers/database.ts";
import { startServers } from "./servers/servers.ts";
import { measureValidation } from "./validation/validation.ts";
import { jobsOf } from "./workload/jobs.ts";

const say = (line: string) => console.error(line);

try {
  await main();
} catch (error) {
  say(`The benchmark did not end.\n${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = parseOptions();
  const report = await run(options);
  console.log(table(report));
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, undefined, 2)}\n`);
  const misses = missed(report);
  for (const miss of misses) say(`Below its bar: ${miss}`);
  if (options.check && misses.length > 0) process.exitCode = 1;
}

async function run(options: Options): Promise<Report> {
  const { patients, auditEntries, concurrency, seconds, rounds, only } = options;
  const database = await prepareDatabase(patients, say, auditEntries);
  try {
    const scenarios = only.filter((scenario) => scenario !== "validation");
    const figures = scenarios.length > 0 ? await measureAll(scenarios, database, options) : [];
    const validation = only.includes("validation") ? await measureValidation(seconds) : undefined;
    return {
      machine: machineOf(database),
      load: { patients, auditEntries, concurrency, seconds, rounds },
      figures,
      ...(validation && { validation }),
    };
  } finally {
    await database.drop();
  }
}

async function measureAll(
  scenarios: readonly RequestScenario[],
  database: Awaited<ReturnType<typeof prepareDatabase>>,
  options: Options,
): Promise<Figures[]> {
  const servers = await startServers(database, options.profile);
  const generator = new Generator();
  try {
    const figures: Figures[] = [];
    for (const scenario of scenarios) {
      say(`Measuring: ${scenario}`);
      const jobs = await jobsOf(scenario, database, servers, options.patients);
      const measured = await measure(scenario, jobs, servers, generator, options);
      say(table({ figures: measured }));
      figures.push(...measured);
    }
    return figures;
  } finally {
    generator.stop();
    await servers.stop();
  }
}
