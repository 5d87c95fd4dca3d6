import { realpath, rm } from "node:fs/promises";
import pg from "pg";
import { readPassword } from "./cluster.ts";
import type { DataFolder } from "./data-folder.ts";
import type { Engine } from "./engine.ts";
import { tryLockExclusive } from "./file-lock.ts";
import { awaitReady, type Postmaster, stopServer } from "./postmaster.ts";
import { readPostmasterFile, refuseNameless } from "./postmaster-file.ts";
import { isAlive, isServerOf } from "./process-table.ts";
import type { ServerUser } from "./server-user.ts";
import { databaseUrl } from "./settings.ts";

/** A server that takes our connections. */
export interface RunningServer {
  readonly pid: number;
  readonly url: string;
}

/** What is there before a start. */
export interface Found {
  /** A server to go on with. */
  readonly server?: RunningServer;
  /** The living process that a stale postmaster.pid names. */
  readonly notAServer?: number;
}

const ANSWER_MS = 5000;
/** SQLSTATE of a wrong password, and of a role without one. */
const PASSWORD_REFUSED = "28P01";

/**
 * Looks for a server that runs on the cluster already: another process of ours started it, and uses it or was
 * killed. One that does not answer is ended, and the password thrown away if that is what it refused.
 * @throws Error when it does not answer, and another process uses it, or when it cannot be told whether one runs
 */
export async function findRunningServer(
  folder: DataFolder,
  engine: Engine,
  user: ServerUser,
): Promise<Found> {
  const file = await readPostmasterFile(folder.cluster);
  if (file === undefined) await refuseNameless(folder.cluster);
  if (file === undefined || !isAlive(file.pid)) return {};
  if (!(await isServerOf(folder.cluster, file.pid))) return { notAServer: file.pid };
  const server = await awaitReady(folder.cluster, file.pid);
  if (server === undefined) return {};
  const password = await readPassword(folder);
  const url = password === undefined ? undefined : databaseUrl(server.port, password);
  const answer = url === undefined ? "none" : await answerOf(folder, url);
  if (url !== undefined && answer === "ours") return { server: { pid: server.pid, url } };
  await endUnused(server, folder, engine, user);
  if (answer === "password refused") await rm(folder.password, { force: true });
  // A process that has ended keeps its number until somebody takes note of its end.
  return isAlive(server.pid) ? { notAServer: server.pid } : {};
}

async function endUnused(
  server: Postmaster,
  folder: DataFolder,
  engine: Engine,
  user: ServerUser,
): Promise<void> {
  const unused = tryLockExclusive(folder.useLock);
  if (unused === undefined) {
    throw new Error(
      `the embedded database (process ${server.pid}) does not answer, and another process uses it`,
    );
  }
  unused.release();
  await stopServer(folder, engine, user);
}

// The password alone does not tell: a copied data folder has the same one, and a stale postmaster.pid.
async function answerOf(folder: DataFolder, url: string): Promise<"ours" | "password refused" | "none"> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  // A server that ends between connection and question is told of besides, which without a listener ends the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
    return (await realpath(rows[0]?.data_directory ?? "")) === folder.cluster ? "ours" : "none";
  } catch (error) {
    // Whatever the reason, it is of no use to us.
    return error instanceof pg.DatabaseError && error.code === PASSWORD_REFUSED ? "password refused" : "none";
  } finally {
    await client.end().catch(() => undefined);
  }
}
