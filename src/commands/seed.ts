// Fills an index with invented people: npm run seed -- --patients 100000 [--seed 1]

import { reasons } from "../lifecycle/reasons.ts";
import { commandLine, endWithUsage, orEndWithUsage } from "../settings/command-line.ts";
import { openStorage } from "../storage/index.ts";
import { seedPatients } from "./seed/seed-patients.ts";
import { settingsOfProgram } from "./settings.ts";
import { errorsAlone } from "./terminal/errors-alone.ts";
import { ProgressBar } from "./terminal/progress-bar.ts";

const USAGE = `npm run seed -- --patients N [--seed S]

Puts the first N invented people of the seed S (1 unless given) into the index: the same seed gives the same people.
Those who are there already are left out, so the command can be repeated, and N raised.
The database and the keys are those of the service: DATABASE_URL or the embedded database, MPI_DATA_DIR, MPI_KEY_FILE.`;

const MOST_PATIENTS = 50_000_000;

await main();

async function main(): Promise<void> {
  const { patients, seed } = parseCommandLine();
  try {
    await fill(patients, seed);
  } catch (error) {
    console.error(`The people were not all stored.\n${reasons(error)}`);
    process.exitCode = 1;
  }
}

function parseCommandLine(): { patients: number; seed: number } {
  const { values } = commandLine(USAGE, {
    patients: { type: "string" },
    seed: { type: "string", default: "1" },
  });
  const { patients } = values;
  if (patients === undefined) endWithUsage(USAGE);
  return orEndWithUsage(USAGE, () => ({
    patients: wholeNumber("--patients", patients, 1, MOST_PATIENTS),
    seed: wholeNumber("--seed", values.seed, 0, 2 ** 31 - 1),
  }));
}

function wholeNumber(name: string, given: string, least: number, most: number): number {
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < least || value > most) {
    throw new Error(`${name} must be a whole number from ${least} to ${most}.`);
  }
  return value;
}

async function fill(patients: number, seed: number): Promise<void> {
  const storage = await openStorage(settingsOfProgram(), errorsAlone, (step) => console.log(step));
  try {
    const startedAt = performance.now();
    const bar = new ProgressBar(patients, process.stdout);
    const options = { patients, seed, now: () => new Date(), onProgress: (done: number) => bar.show(done) };
    const { stored, present } = await seedPatients(storage, options).finally(() => bar.close());
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`Stored ${stored} people of seed ${seed} in ${seconds} s; ${present} were there already.`);
  } finally {
    await storage.close();
  }
}
