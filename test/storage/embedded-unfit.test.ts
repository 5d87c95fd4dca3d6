import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmbeddedServer } from "../../src/storage/embedded/index.ts";

const log = { info: () => undefined, error: () => undefined };

let dataDirectory: string;
let cluster: string;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "embedded-"));
  cluster = join(dataDirectory, "postgres", "cluster");
});

afterEach(() => rm(dataDirectory, { recursive: true, force: true }));

/** A cluster as far as a start looks before anything of it is read. */
async function clusterOf(version: string): Promise<void> {
  await mkdir(cluster, { recursive: true });
  await writeFile(join(cluster, "PG_VERSION"), `${version}\n`);
}

describe("no embedded database is started", () => {
  test("on data of another PostgreSQL: both versions are named", async () => {
    await clusterOf("17");
    await expect(startEmbeddedServer({ dataDirectory, log })).rejects.toThrow(
      `the embedded database in ${cluster} is of PostgreSQL 17, and this version brings PostgreSQL 18: `,
    );
  });

  test.each(["", "hello\n"])("beside a postmaster.pid that names no process: %j", async (text) => {
    await clusterOf("18");
    const file = join(cluster, "postmaster.pid");
    await writeFile(file, text);
    await expect(startEmbeddedServer({ dataDirectory, log })).rejects.toThrow(
      `${file} names no process: see that no "postgres -D ${cluster}" runs, and remove it`,
    );
  });

  test("in a folder that cannot be made: the setting is named, and why", async () => {
    const file = join(dataDirectory, "file");
    await writeFile(file, "");
    const start = startEmbeddedServer({ dataDirectory: file, log });
    await expect(start).rejects.toThrow(`${join(file, "postgres")}, cannot be written to: set MPI_DATA_DIR`);
    await expect(start).rejects.toHaveProperty("cause.code", "ENOTDIR");
  });
});
