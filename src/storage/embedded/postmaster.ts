import type { ChildProcess } from "node:child_process";
import { close, open } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { runAs, spawnAs, takingForNoServer } from "./child-process.ts";
import type { DataFolder } from "./data-folder.ts";
import type { Engine } from "./engine.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { isAlive, isServerOf } from "./process-table.ts";
import type { ServerUser } from "./server-user.ts";
import { type ServerSettings, serverArguments } from "./settings.ts";
import { afterSurvivingSessions } from "./surviving-sessions.ts";

/** What a server is started with. */
export interface Launch {
  readonly folder: DataFolder;
  readonly engine: Engine;
  readonly user: ServerUser;
  readonly settings: ServerSettings;
}

/** A server that takes connections. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

const READY = "ready";
const POLL_MS = 5;
const WATCH_MS = 1000;
const PORT_ATTEMPTS = 3;
const STOP_SECONDS = { fast: 60, immediate: 30 } as const;

/**
 * Starts a server on a free port of the loopback interface and waits until it is ready, through the recovery
 * after a crash too.
 * @param notAServer the process whose number stands in a stale postmaster.pid, if it runs: it is no server
 * @throws Error with the end of the server's log
 */
export async function launch(parts: Launch, notAServer: number | undefined): Promise<Postmaster> {
  const { folder } = parts;
  return await afterSurvivingSessions(async () => {
    for (let portsTried = 1; ; portsTried++) {
      const port = await freePort();
      const child = await spawnServer(parts, port, notAServer);
      const pid = await ready(folder.cluster, child);
      if (pid !== undefined) return { pid, port };
      const said = await logTail(folder);
      if (!said.includes("could not bind") || portsTried >= PORT_ATTEMPTS)
        throw new Error(`the embedded database does not start (${folder.log}): ${said}`);
    }
  });
}

/** Waits until a server that somebody else started is ready; undefined when it ends before. */
export async function awaitReady(cluster: string, pid: number): Promise<Postmaster | undefined> {
  while (isAlive(pid)) {
    const file = await readPostmasterFile(cluster);
    if (file?.pid !== pid) return undefined;
    if (file.status === READY) return { pid, port: file.port };
    await sleep(POLL_MS);
  }
  return undefined;
}

/** Ends the server of the cluster, if one runs: open transactions are rolled back, what was committed stays. */
export async function stopServer(folder: DataFolder, engine: Engine, user: ServerUser): Promise<void> {
  const file = await readPostmasterFile(folder.cluster);
  if (file === undefined || !(await isServerOf(folder.cluster, file.pid))) return;
  const stop = (mode: keyof typeof STOP_SECONDS) =>
    runAs(user, engine.pgCtl, ["stop", "-D", folder.cluster, "-m", mode, "-t", String(STOP_SECONDS[mode])]);
  await stop("fast").catch(async (fastFailure: unknown) => {
    if (!isAlive(file.pid)) return; // it was ending already
    await stop("immediate").catch((cause: unknown) => {
      throw new AggregateError([fastFailure, cause], "the embedded database does not end");
    });
  });
}

/** Calls back once when the process is gone. Returns what ends the watch. */
export function watch(pid: number, onGone: () => void): () => void {
  const timer = setInterval(() => {
    if (isAlive(pid)) return;
    clearInterval(timer);
    onGone();
  }, WATCH_MS).unref();
  return () => clearInterval(timer);
}

/** A connection that the server refused while it ended or began: many of them would stand where the reason is looked for. */
const REFUSED = /FATAL: +the database system is /;

/** The last lines of the server's log that tell of itself. */
export async function logTail(folder: DataFolder): Promise<string> {
  const text = await readFile(folder.log, "utf8").catch(() => "");
  const lines = text.trim().split("\n");
  return lines
    .filter((line) => !REFUSED.test(line))
    .slice(-10)
    .join("\n");
}

async function spawnServer(
  { folder, engine, user, settings }: Launch,
  port: number,
  notAServer: number | undefined,
): Promise<ChildProcess> {
  await rename(folder.log, folder.previousLog).catch(() => undefined); // the first start has none
  const log = await promisify(open)(folder.log, "a", 0o600);
  const child = spawnAs(user, engine.postgres, ["-D", folder.cluster, ...serverArguments(port, settings)], {
    // A session of its own: the terminal's Ctrl-C is for us, and we end the server last.
    detached: true,
    stdio: ["ignore", log, log],
    env: takingForNoServer(notAServer),
  });
  child.unref();
  await promisify(close)(log);
  return child;
}

async function ready(cluster: string, child: ChildProcess): Promise<number | undefined> {
  const failed = new Promise<Error>((resolve) => child.on("error", resolve));
  const { pid } = child;
  if (pid === undefined) throw await failed;
  while (child.exitCode === null && child.signalCode === null) {
    const file = await readPostmasterFile(cluster);
    if (file?.pid === pid && file.status === READY) return pid;
    await sleep(POLL_MS);
  }
  return undefined;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
