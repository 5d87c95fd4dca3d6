import { access, constants, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { ChainHead } from "../../audit/index.ts";

export type NotedHeads = ReadonlyMap<bigint, ChainHead>;

/**
 * The heads that were noted in a file: a line a stream, its id, the number of its last entry, and the hash of that. A file
 * that is not there holds none only when that is expected: a mistyped name would pass for a first time.
 */
export async function readHeads(path: string, isFirst: boolean): Promise<NotedHeads> {
  await access(dirname(path), constants.W_OK);
  const isThere = await stat(path).then(
    () => true,
    (cause) => {
      if (cause.code === "ENOENT") return false;
      throw cause;
    },
  );
  if (isFirst && isThere)
    throw new Error(`There is a file ${path} already: leave out --first to compare with it.`);
  if (isFirst) return new Map();
  if (!isThere) throw new Error(`There is no file ${path}. Give --first too to have it made.`);
  const heads = headsIn(path, await readFile(path, "utf8"));
  if (heads.size === 0) throw new Error(`The file ${path} holds no head.`);
  return heads;
}

function headsIn(path: string, text: string): NotedHeads {
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line, at) => {
      const [, streamId, n, hash] = /^(-?\d+) (\d+) ([0-9a-f]{64})$/.exec(line) ?? [];
      if (!streamId || !n || !hash) throw new Error(`Line ${at + 1} of ${path} is no head.`);
      return [BigInt(streamId), { streamId: BigInt(streamId), n: BigInt(n), hash: Buffer.from(hash, "hex") }];
    }),
  );
}

export async function writeHeads(path: string, heads: readonly ChainHead[]): Promise<void> {
  const lines = heads.map(
    ({ streamId, n, hash }) => `${streamId} ${n} ${Buffer.from(hash).toString("hex")}\n`,
  );
  await writeFile(`${path}.new`, lines.join(""));
  await rename(`${path}.new`, path);
}
