import { join } from "node:path";
import {
  allHeld,
  type HeldKeys,
  holdsAll,
  type IndexKeys,
  type KeyProvider,
  type KeyRing,
  keyFile,
} from "../identifier-index/index.ts";
import { failureOfStart, type Stops, stopAll } from "../lifecycle/stoppable.ts";
import {
  ANSWER_MS,
  type Connections,
  type Database,
  type DatabaseSettings,
  openPool,
} from "./connection/database.ts";
import {
  defaultDataDirectory,
  type EmbeddedServer,
  type EmbeddedServerOptions,
  startEmbeddedServer,
} from "./embedded/index.ts";
import { type FollowedKeys, followKeys } from "./index-keys/follow-keys.ts";
import { type KeyPlace, type KeySettings, keyPlace } from "./index-keys/key-place.ts";
import { isUnsealed, selectKeyRecords } from "./index-keys/key-records.ts";
import { applyMigrations } from "./migrations.ts";
import { passOverLostIds } from "./patients/writing/next-ids.ts";

/** Where the database and its keys are; the settings of the same names. */
export interface StorageSettings extends KeySettings {
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string | undefined;
  readonly databasePool: number;
  readonly preparedStatements: boolean;
}

export interface StorageLog {
  info(message: string): void;
  error(message: string): void;
  warn(details: object, message: string): void;
}

/** Told when the embedded server ends without having been stopped. */
type DatabaseEnded = () => void;

/** A database that is there, migrated, and whose keys are at hand. */
export interface Storage {
  readonly url: string;
  readonly database: Database;
  /** Of this process to the database. */
  readonly connections: () => Connections;
  readonly keys: KeyRing;
  /** What a rotation of the keys works with. */
  readonly rotation: { readonly provider: KeyProvider; readonly followed: FollowedKeys };
  /** Closes the connections, and ends the embedded server when nobody else uses it. */
  close(): Promise<void>;
}

const REPOSITORY = join(import.meta.dirname, "..", "..");
const MIGRATIONS = join(REPOSITORY, "prisma", "migrations");

/** Opens the database of the settings, the embedded one unless there is another; what was opened before a failure is closed. */
export async function openStorage(
  settings: StorageSettings,
  log: StorageLog,
  progress: (step: string) => void,
  onDatabaseEnd?: DatabaseEnded,
): Promise<Storage> {
  const server = await holdDatabase(settings, log, progress, onDatabaseEnd);
  const { url } = server;
  const stops: Stops = [server.close];
  try {
    const { database, connections } = connect(settings, url, log, { answerMs: ANSWER_MS });
    stops.push(() => database.$disconnect());
    await passOverLostIds((statement) => database.$queryRaw(statement));
    const { path, wrappings } = await keyPlaceOf(settings);
    const provider = keyFile(path, () => isUnsealed(database), wrappings);
    const followed = await followKeys({ database, provider, log });
    stops.push(() => followed.stop());
    const close = () => stopAll(stops);
    return { url, database, connections, keys: followed.ring, rotation: { provider, followed }, close };
  } catch (cause) {
    throw await failureOfStart(cause, stops);
  }
}

/**
 * The database of the settings, there and migrated, without connections to it. The embedded server is up at least until
 * `close`, for other processes with the same settings too.
 */
export async function holdDatabase(
  settings: StorageSettings,
  log: StorageLog,
  progress: (step: string) => void,
  onDatabaseEnd?: DatabaseEnded,
): Promise<Pick<Storage, "url" | "close">> {
  const onEnd = onDatabaseEnd && { onEnd: onDatabaseEnd };
  const server = await reachServer(settings, log, progress, { ...onEnd });
  const { url } = server;
  const close = () => server.stop();
  try {
    const { applied } = await applyMigrations(url, { directory: MIGRATIONS, log });
    progress(applied.length > 0 ? `Database migrated: ${applied.join(", ")}` : "Database is up to date");
    return { url, close };
  } catch (cause) {
    throw await failureOfStart(cause, [close]);
  }
}

/** The database of the settings as it is: none is made, nothing is migrated, and no keys are needed. */
export async function openDatabaseAsItIs(
  settings: StorageSettings,
  log: StorageLog,
  progress: (step: string) => void,
): Promise<Pick<Storage, "database" | "close">> {
  const server = await reachServer(settings, log, progress, { mustExist: true });
  const { database } = connect(settings, server.url, log);
  const stops: Stops = [() => server.stop(), () => database.$disconnect()];
  return { database, close: () => stopAll(stops) };
}

async function reachServer(
  settings: StorageSettings,
  log: StorageLog,
  progress: (step: string) => void,
  options: Omit<EmbeddedServerOptions, "dataDirectory" | "log" | "progress">,
): Promise<EmbeddedServer> {
  const { databaseUrl: url } = settings;
  if (url !== undefined) return { url, stop: async () => undefined };
  const dataDirectory = dataDirectoryOf(settings);
  return await startEmbeddedServer({ dataDirectory, log, progress, ...options });
}

function connect(
  { databasePool, preparedStatements }: StorageSettings,
  url: string,
  log: StorageLog,
  limits: Pick<DatabaseSettings, "answerMs"> = {},
): ReturnType<typeof openPool> {
  return openPool({
    url,
    ...limits,
    poolSize: databasePool,
    preparedStatements,
    onConnectionError: (error) =>
      log.warn({ code: (error as { code?: string }).code }, "database connection lost"),
  });
}

/** The keys of the settings, which have to be those of the database as it is; none are made. */
export async function keysAtHand(settings: StorageSettings, database: Database): Promise<IndexKeys> {
  const held = await heldKeys(settings);
  if (!holdsAll(held, await selectKeyRecords(database))) {
    throw new Error("The keys at hand are not those of this database.");
  }
  return { primary: held.primary, others: allHeld(held).slice(1) };
}

/** What the key file of the settings holds; none is made. */
export async function heldKeys(settings: StorageSettings): Promise<HeldKeys> {
  const { path, wrappings } = await keyPlaceOf(settings);
  return await keyFile(path, async () => false, wrappings).load();
}

/** Where the keys are that go with the database of the settings. */
export function keyPlaceOf(settings: StorageSettings): Promise<KeyPlace> {
  return keyPlace(settings, dataDirectoryOf(settings));
}

function dataDirectoryOf({ dataDirectory }: StorageSettings): string {
  return dataDirectory ?? defaultDataDirectory(REPOSITORY);
}
