import { access, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What a server says of itself in postmaster.pid: https://www.postgresql.org/docs/18/storage-file-layout.html */
export interface PostmasterFile {
  readonly pid: number;
  /** Zero until the server has got so far. */
  readonly port: number;
  /** `starting`, `ready`, `stopping`, …; empty until the server has got so far. */
  readonly status: string;
}

const LINE = { pid: 0, port: 3, status: 7 } as const;

/** Reads it; undefined when no server is there, or it has not written its process id yet. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const lines = (await textOf(join(cluster, "postmaster.pid"))).split("\n").map((line) => line.trim());
  const pid = Number(lines[LINE.pid]);
  if (!(pid > 0)) return undefined;
  return { pid, port: Number(lines[LINE.port] ?? 0), status: lines[LINE.status] ?? "" };
}

/**
 * PostgreSQL does not start beside a file that a crash left empty, and whether a server runs nobody can tell from it.
 * @throws Error that says what to do about it
 */
export async function refuseNameless(cluster: string): Promise<void> {
  const path = join(cluster, "postmaster.pid");
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere || (await readPostmasterFile(cluster)) !== undefined) return;
  throw new Error(`${path} names no process: see that no "postgres -D ${cluster}" runs, and remove it`);
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
