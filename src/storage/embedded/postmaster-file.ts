import { readFile } from "node:fs/promises";
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

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
