import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Whether a process is a server of that cluster, and not another one that was given its number later. On
 * Windows the command line is not to be had, so there any PostgreSQL counts.
 */
export async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await commandLine(pid);
  if (process.platform === "win32") return command.includes("postgres");
  return command.replaceAll("\0", " ").includes(`postgres -D ${cluster} `);
}

async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === "linux") return await readFile(`/proc/${pid}/cmdline`, "utf8");
    if (process.platform === "win32")
      return (await run("tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV"])).stdout;
    return (await run("ps", ["-o", "command=", "-p", String(pid)])).stdout;
  } catch {
    return ""; // it ended while we asked
  }
}
