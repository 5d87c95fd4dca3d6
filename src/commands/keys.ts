// The keys of the index: npm run keys -- show | add-secondary | remove-secondary | promote

import type { Settings } from "../config.ts";
import {
  addSecondary,
  allHeld,
  type HeldKeys,
  holdsAll,
  promoteSecondary,
  removeSecondary,
} from "../identifier-index/index.ts";
import { reasons } from "../lifecycle/reasons.ts";
import { commandLine, endWithUsage } from "../settings/command-line.ts";
import {
  type Database,
  heldKeys,
  keyPlaceOf,
  openDatabaseAsItIs,
  selectKeyRecords,
  underKeyLock,
} from "../storage/index.ts";
import { settingsOfProgram } from "./settings.ts";
import { errorsAlone } from "./terminal/errors-alone.ts";

const USAGE = `npm run keys -- COMMAND

show              the ids of the keys, and what the database uses each of them for
add-secondary     puts a new secondary key into the key file, for the job reencrypt-index to go to
remove-secondary  takes a secondary key that the database does not use out of the key file again
promote           after that job: makes the secondary key the primary one of the key file, the one before retired

The database and the keys are those of the service: DATABASE_URL or the embedded database, MPI_DATA_DIR, MPI_KEY_FILE,
MPI_KEY_PROVIDER; none are made. Where several machines serve, each needs the same key file. See docs/keys.md.`;

type Command = (settings: Settings) => Promise<void>;

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["show", withDatabase(show)],
  ["add-secondary", add],
  ["remove-secondary", withDatabase(remove)],
  ["promote", withDatabase(promote)],
]);

/** What a command has done to the key file stays done, whatever fails behind it. */
let isKeyFileChanged = false;

await main();

async function main(): Promise<void> {
  const [name] = commandLine(USAGE, {}, 1).positionals;
  if (name === undefined) endWithUsage(USAGE);
  const command = COMMANDS.get(name) ?? endWithUsage(USAGE, `There is no command ${name}.`);
  try {
    await command(settingsOfProgram());
  } catch (error) {
    const outcome = isKeyFileChanged
      ? "That is done, but something failed behind it:"
      : "Nothing was changed.";
    console.error(`${outcome}\n${reasons(error)}`);
    process.exitCode = 1;
  }
}

function tellOfChange(text: string): void {
  isKeyFileChanged = true;
  console.log(text);
}

async function add(settings: Settings): Promise<void> {
  const { path, wrappings } = await keyPlaceOf(settings);
  const keyId = await addSecondary(path, wrappings);
  tellOfChange(
    `Secondary key ${keyId} is in ${path}. Back the file up before the job reencrypt-index is started.`,
  );
}

/** Under the lock of the keys: no rotation begins to go to it meanwhile. That the lock ends well is another matter. */
async function remove(settings: Settings, database: Database): Promise<void> {
  const { path } = await keyPlaceOf(settings);
  await underKeyLock(database, async (_transaction, records) => {
    const keyId = await removeSecondary(path, (used) => records.some((record) => record.keyId === used));
    tellOfChange(`Key ${keyId} is not in ${path} any more.`);
  });
}

/** Keys of the file first, then those that the database alone knows. */
async function show(settings: Settings, database: Database): Promise<void> {
  const held = await heldKeys(settings);
  const records = await selectKeyRecords(database);
  const keyIds = new Set([...allHeld(held), ...records].map(({ keyId }) => keyId));
  for (const keyId of keyIds) {
    const label = labelOf(keyId, held);
    const record = records.find((one) => one.keyId === keyId);
    const state = record?.state ?? "not used";
    const isOther = label !== "missing" && record && !holdsAll(held, [record]);
    const doubt = isOther ? " (with other secrets: not the key of this id)" : "";
    console.log(`${keyId}  in the key file: ${label}, in the database: ${state}${doubt}`);
  }
}

function labelOf(keyId: string, held: HeldKeys): "primary" | "secondary" | "retired" | "missing" {
  if (keyId === held.primary.keyId) return "primary";
  if (keyId === held.secondary?.keyId) return "secondary";
  return held.retired.some((key) => key.keyId === keyId) ? "retired" : "missing";
}

async function promote(settings: Settings, database: Database): Promise<void> {
  const records = await selectKeyRecords(database);
  const isUnderWay = records.some(({ state }) => state !== "primary" && state !== "retired");
  const primary = records.find(({ state }) => state === "primary");
  if (isUnderWay || !primary)
    throw new Error("The keys rotate: wait for the end of the job reencrypt-index.");
  const { path } = await keyPlaceOf(settings);
  await promoteSecondary(path, primary.keyId);
  tellOfChange(`Key ${primary.keyId} is the primary one of ${path} now.`);
}

function withDatabase(work: (settings: Settings, database: Database) => Promise<void>): Command {
  return async (settings) => {
    const { database, close } = await openDatabaseAsItIs(settings, errorsAlone, () => undefined);
    try {
      await work(settings, database);
    } finally {
      await close();
    }
  };
}
