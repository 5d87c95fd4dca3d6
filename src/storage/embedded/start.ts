import { clusterExists, createCluster, readPassword, refuseOtherPostgres, renewPassword } from "./cluster.ts";
import { type DataFolder, dataFolderIn, openDataFolder, openPathTo } from "./data-folder.ts";
import { type Engine, locateEngine } from "./engine.ts";
import { type FileLock, lockExclusive, lockShared, tryLockExclusive } from "./file-lock.ts";
import { launch, logTail, stopServer, watch } from "./postmaster.ts";
import { type Found, findRunningServer, type RunningServer } from "./running-server.ts";
import { findServerUser, type ServerUser } from "./server-user.ts";
import { databaseUrl, type ServerSettings } from "./settings.ts";

export interface EmbeddedServerOptions {
  /** The folder of the index's data (MPI_DATA_DIR); the server keeps to `postgres` in it. */
  readonly dataDirectory: string;
  readonly log: { info(message: string): void; error(message: string): void };
  /** Told to whoever waits for the start. */
  readonly progress?: (step: string) => void;
  /** Told when the server ends without having been stopped: nothing of it answers again, at this address neither. */
  readonly onEnd?: () => void;
  /** Refuses to make a database where there is none. */
  readonly mustExist?: boolean;
  /** Settings of PostgreSQL that go before ours, where this is the start that starts it. */
  readonly settings?: ServerSettings;
}

export interface EmbeddedServer {
  /** For DATABASE_URL: loopback, with the password. The port is another one after each start. */
  readonly url: string;
  /** Ends the server, unless another process uses it still: then the last one to stop ends it. */
  stop(): Promise<void>;
}

interface Parts {
  readonly folder: DataFolder;
  readonly engine: Engine;
  readonly user: ServerUser;
  readonly settings: ServerSettings;
}

const START_LOCK_MS = 120_000;

/**
 * Starts the PostgreSQL that comes with us, on data of its own. Processes with the same data folder share one
 * server, and a server whose starter was killed is taken over; starting at once is safe.
 * @throws Error that says what is in the way and what to do about it
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  if (options.mustExist) await refuseMissing(dataFolderIn(options.dataDirectory));
  const folder = await openDataFolder(options.dataDirectory);
  const starting = await lockExclusive(folder.startLock, START_LOCK_MS);
  try {
    const user = await findServerUser(folder.cluster);
    await openPathTo(folder, user);
    const { settings = {} } = options;
    const parts = { folder, engine: await locateEngine(folder, user), user, settings };
    const server = await obtainServer(parts, options);
    return inUse(parts, server, options);
  } finally {
    starting.release();
  }
}

async function refuseMissing(folder: DataFolder): Promise<void> {
  if (await clusterExists(folder)) return;
  throw new Error(
    `There is no embedded database in ${folder.path}: set MPI_DATA_DIR to the folder of the service, or DATABASE_URL.`,
  );
}

async function obtainServer(parts: Parts, options: EmbeddedServerOptions): Promise<RunningServer> {
  const { dataDirectory, log, progress = () => undefined } = options;
  const { folder, engine, user } = parts;
  const { server, notAServer } = await findServer(parts);
  if (server !== undefined) {
    progress(`Joining the embedded PostgreSQL that runs in ${dataDirectory}`);
    log.info(`the embedded database runs already (process ${server.pid}) and is taken over or shared`);
    return server;
  }
  progress(`Starting the embedded PostgreSQL in ${dataDirectory}`);
  if (!(await clusterExists(folder))) {
    log.info(`making a new embedded database in ${folder.path}`);
    await createCluster(folder, engine, user);
  }
  const password = (await readPassword(folder)) ?? (await renewPassword(folder, engine, user, notAServer));
  const started = await launch(parts, notAServer);
  log.info(
    `the embedded database has started (process ${started.pid}, port ${started.port}, data in ${folder.path})`,
  );
  return { pid: started.pid, url: databaseUrl(started.port, password) };
}

async function findServer({ folder, engine, user }: Parts): Promise<Found> {
  if (!(await clusterExists(folder))) return {};
  await refuseOtherPostgres(folder, engine);
  return await findRunningServer(folder, engine, user);
}

function inUse(
  parts: Parts,
  server: RunningServer,
  { log, onEnd }: Omit<EmbeddedServerOptions, "dataDirectory">,
): EmbeddedServer {
  const use = lockShared(parts.folder.useLock);
  // Why it ended is told first: who is told of the end may end the process at once.
  const endWatch = watch(server.pid, () => void reportEnd(parts.folder, server, log).then(onEnd));
  let stopped: Promise<void> | undefined;
  return {
    url: server.url,
    stop() {
      endWatch();
      stopped ??= stop(parts, use, log);
      return stopped;
    },
  };
}

async function stop(parts: Parts, use: FileLock, log: EmbeddedServerOptions["log"]): Promise<void> {
  const stopping = await lockExclusive(parts.folder.startLock, START_LOCK_MS);
  try {
    use.release();
    const last = tryLockExclusive(parts.folder.useLock);
    if (last === undefined) {
      log.info("the embedded database stays up for another process that uses it");
      return;
    }
    last.release(); // nobody comes to use it while we hold the other lock
    await stopServer(parts.folder, parts.engine, parts.user);
    log.info("the embedded database has stopped");
  } finally {
    stopping.release();
  }
}

async function reportEnd(
  folder: DataFolder,
  server: RunningServer,
  log: EmbeddedServerOptions["log"],
): Promise<void> {
  const said = await logTail(folder);
  log.error(
    `the embedded database (process ${server.pid}) ended on its own: the index has to be started again. ` +
      `The end of its log (${folder.log}): ${said}`,
  );
}
