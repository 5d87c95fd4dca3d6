// Brings the database up to this version: npm run migrate [-- --service-role NAME]

import type { Settings } from "../config.ts";
import { reasons } from "../lifecycle/reasons.ts";
import { commandLine, endWithUsage } from "../settings/command-line.ts";
import { grantService, holdDatabase, openJobQueue } from "../storage/index.ts";
import { settingsOfProgram } from "./settings.ts";

const USAGE = `npm run migrate [-- --service-role NAME]

Applies the migrations that the database does not have yet. The service does so itself at its start, where its role may;
with this command another role can own the tables, the one in DATABASE_URL.

--service-role NAME  Gives that role, which must be there, what the service needs: it can then read and write, but not
                     change tables, nor entries of the audit trail. To be repeated with each new version.

The database is that of the service: DATABASE_URL or the embedded one, MPI_DATA_DIR. No keys are needed.`;

await main();

async function main(): Promise<void> {
  const { values } = commandLine(USAGE, { "service-role": { type: "string" } });
  const role = values["service-role"];
  if (role === "") endWithUsage(USAGE, "--service-role needs the name of a role.");
  try {
    await migrate(settingsOfProgram(), role);
  } catch (error) {
    console.error(`The database was not made ready.\n${reasons(error)}`);
    process.exitCode = 1;
  }
}

async function migrate(settings: Settings, role: string | undefined): Promise<void> {
  const say = (step: string) => console.log(step);
  const log = { info: say, warn: () => undefined, error: (line: string) => console.error(line) };
  const { url, close } = await holdDatabase(settings, log, say);
  try {
    if (role === undefined) return;
    if (settings.jobsDatabaseUrl === undefined) await makeJobQueue(url);
    await grantService(url, role);
    say(`Role ${role} has what the service needs.`);
    if (settings.jobsDatabaseUrl !== undefined)
      say("The database of MPI_JOBS_DATABASE_URL is as it was: whoever is named there makes its tables.");
  } finally {
    await close();
  }
}

/** The tables of the queue are the library's, which makes them where it is opened first. */
async function makeJobQueue(url: string): Promise<void> {
  const queue = await openJobQueue({ url, onError: (error) => console.error(reasons(error)) });
  await queue.close();
}
