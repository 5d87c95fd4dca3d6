// The keys of the index: npm run keys -- show | add-secondary | promote

import { parseSettings, type Settings } from "../config.ts";
import { addSecondary, allHeld, promoteSecondary } from "../identifier-index/index.ts";
import { keyPlaceOf, openStorage, type Storage, selectKeyRecords } from "../storage/index.ts";
import { reasons } from "./reasons.ts";

const USAGE = `npm run keys -- COMMAND

show             the ids of the keys, and what the database uses each of them for
add-secondary    puts a new secondary key into the key file, for the job reencrypt-index to go to
promote          after that job: makes the secondary key the primary one of the key file, the one before retired

The database and the keys are those of the service: DATABASE_URL or the embedded database, MPI_DATA_DIR, MPI_KEY_FILE,
MPI_KEY_PROVIDER. Where several machines serve, each needs the same key file. See docs/keys.md.`;

const COMMANDS: Readonly<Record<string, (settings: Settings) => Promise<void>>> = {
  show: (settings) => withStorage(settings, show),
  "add-secondary": add,
  promote: (settings) => withStorage(settings, (storage) => promote(settings, storage)),
};

await main();

async function main(): Promise<void> {
  const command = COMMANDS[process.argv[2] ?? ""];
  if (!command) {
    console.log(USAGE);
    process.exitCode = process.argv.length > 2 ? 1 : 0;
    return;
  }
  try {
    await command(parseSettings(process.env));
  } catch (error) {
    console.error(`Nothing was changed.\n${reasons(error)}`);
    process.exitCode = 1;
  }
}

async function add(settings: Settings): Promise<void> {
  const { path, wrapping } = await keyPlaceOf(settings);
  const keyId = await addSecondary(path, wrapping);
  console.log(
    `Secondary key ${keyId} is in ${path}. Back the file up before the job reencrypt-index is started.`,
  );
}

async function show({ database, rotation }: Storage): Promise<void> {
  const held = await rotation.provider.load();
  const records = await selectKeyRecords(database);
  for (const { keyId } of allHeld(held)) {
    const label =
      keyId === held.primary.keyId ? "primary" : keyId === held.secondary?.keyId ? "secondary" : "retired";
    const state = records.find((record) => record.keyId === keyId)?.state ?? "not used";
    console.log(`${keyId}  in the key file: ${label}, in the database: ${state}`);
  }
}

async function promote(settings: Settings, { database }: Storage): Promise<void> {
  const records = await selectKeyRecords(database);
  const isUnderWay = records.some(({ state }) => state !== "primary" && state !== "retired");
  const primary = records.find(({ state }) => state === "primary");
  if (isUnderWay || !primary)
    throw new Error("The keys rotate: wait for the end of the job reencrypt-index.");
  const { path } = await keyPlaceOf(settings);
  await promoteSecondary(path, primary.keyId);
  console.log(`Key ${primary.keyId} is the primary one of ${path} now.`);
}

async function withStorage(settings: Settings, work: (storage: Storage) => Promise<void>): Promise<void> {
  const log = { info: () => undefined, warn: () => undefined, error: (line: string) => console.error(line) };
  const storage = await openStorage(settings, log, () => undefined);
  try {
    await work(storage);
  } finally {
    await storage.close();
  }
}
