import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { parse } from "node:path";
import type { ServerUser } from "./server-user.ts";

const PASSED_ON = ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR"];

/** Starts a program of PostgreSQL under the server's account, with nothing of our environment that is secret. */
export function spawnAs(
  user: ServerUser,
  program: string,
  options: readonly string[],
  spawnOptions: SpawnOptions & { env?: Record<string, string> },
): ChildProcess {
  return spawn(program, options, {
    ...spawnOptions,
    ...user,
    // Our working folder may be closed to that account.
    cwd: parse(program).root,
    env: { ...passedOnEnvironment(), LC_ALL: "C", ...spawnOptions.env },
    windowsHide: true,
  });
}

/**
 * Runs a program of PostgreSQL to its end, which the terminal's Ctrl-C does not interrupt.
 * @throws Error with what it printed, when it fails
 */
export function runAs(
  user: ServerUser,
  program: string,
  options: readonly string[],
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawnAs(user, program, options, { detached: true, stdio: "pipe", env });
    let printed = "";
    const keep = (part: Buffer) => {
      printed += part.toString();
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.stdin?.on("error", keepsSilent); // a child that ended early says why in its exit
    child.stdin?.end(input);
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} failed (${code}): ${printed.trim()}`));
    });
  });
}

/**
 * The environment in which PostgreSQL takes that running process in a stale postmaster.pid for no server. Its other
 * safeguard, the shared memory of surviving sessions, stays in force, unlike when the file is deleted.
 */
export function takingForNoServer(pid: number | undefined): Record<string, string> {
  return pid === undefined ? {} : { PG_GRANDPARENT_PID: String(pid) };
}

function keepsSilent(): void {}

function passedOnEnvironment(): Record<string, string> {
  const entries = PASSED_ON.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
