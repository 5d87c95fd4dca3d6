// What becomes of load beyond capacity: npm run bench:overload -- --seconds 20 --times 4

import { parseNumbers } from "./figures/numbers.ts";
import { Generator } from "./load/generator.ts";
import { findAcknowledged } from "./overload/acknowledged.ts";
import { type Overloaded, overload } from "./overload/measure.ts";
import { missed, report } from "./overload/report.ts";
import type { RequestScenario } from "./ratios/scenarios.ts";
import { prepareDatabase } from "./servers/database.ts";
import { startService } from "./servers/service.ts";
import { fhirJobOf } from "./workload/jobs.ts";

const scenarios: readonly RequestScenario[] = ["read", "create"];

/** Four times as many connections as the service takes requests at once, so that there are always some to refuse. */
const options = parseNumbers("npm run bench:overload -- [options]: what becomes of load beyond capacity", {
  patients: 20_000,
  times: 4,
  seconds: 20,
  connections: 2048,
});

const database = await prepareDatabase(options.patients, console.error);
try {
  await measure();
} finally {
  await database.drop();
}

async function measure(): Promise<void> {
  const service = await startService({
    DATABASE_URL: database.url,
    MPI_KEY_FILE: database.keyFile,
    MPI_LOG_LEVEL: "info",
  });
  const generator = new Generator();
  try {
    const all: Overloaded[] = [];
    for (const scenario of scenarios) {
      console.error(`Overloading: ${scenario}`);
      await generator.define(scenario, await fhirJobOf(scenario, database, service, options.patients));
      all.push(await overload(scenario, service.pid, generator, options));
    }
    const created = all.flatMap(({ outcome }) => outcome.created);
    const found = await findAcknowledged(created, database, service);
    console.log(report(all, found));
    const misses = missed(all, found);
    for (const miss of misses) console.error(`Below its bar: ${miss}`);
    if (misses.length > 0) process.exitCode = 1;
  } finally {
    generator.stop();
    await service.stop();
  }
}
