import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type EmbeddedServer, startEmbeddedServer } from "../../src/storage/embedded/index.ts";
import { onServer } from "../database.ts";
import { ended, startElsewhere } from "./embedded-process.ts";

const log = { info: vi.fn(), error: vi.fn() };

/** A session that waits for something would notice that its server is gone. */
const BUSY_FOR_4_S =
  "DO $$ BEGIN WHILE clock_timestamp() < now() + interval '4 s' LOOP NULL; END LOOP; END $$";

let dataDirectory: string;

const start = (): Promise<EmbeddedServer> => startEmbeddedServer({ dataDirectory, log });
const passwordFile = (): string => join(dataDirectory, "postgres", "password");
const clusterFile = (name: string): string => join(dataDirectory, "postgres", "cluster", name);

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "embedded-"));
  await runs((server) => query(server.url, "CREATE TABLE kept (n int)"));
});

afterAll(() => rm(dataDirectory, { recursive: true, force: true }));

describe("a start and a stop", () => {
  test("give a PostgreSQL 18 whose data are there at the next start", async () => {
    await runs((server) => query(server.url, "INSERT INTO kept VALUES (1)"));

    const rows = await runs((server) =>
      query(server.url, "SELECT current_setting('server_version_num') v, n FROM kept"),
    );

    expect(rows).toEqual([{ v: expect.stringMatching(/^18/), n: 1 }]);
  });

  test("keep every commit on disk, and a person's data out of the server's log", async () => {
    const settings = await runs(async (server) => {
      await expect(query(server.url, "SELECT 'Mari Maasikas'::int")).rejects.toThrow("Mari Maasikas");
      return query(
        server.url,
        "SELECT current_setting('fsync') fsync, current_setting('synchronous_commit') commit",
      );
    });

    expect(settings).toEqual([{ fsync: "on", commit: "on" }]);
    expect(await readFile(join(dataDirectory, "postgres", "server.log"), "utf8")).not.toContain("Maasikas");
  });

  test("take settings for a database that need not outlive the machine", async () => {
    const server = await startEmbeddedServer({ dataDirectory, log, settings: { fsync: "off" } });
    expect(await query(server.url, "SHOW fsync")).toEqual([{ fsync: "off" }]);
    await server.stop();
  });

  test("let nobody in who has not the password", async () => {
    await runs(async ({ url }) => {
      await expect(query(url.replace(/:[^:@]*@/, ":guess@"), "SELECT 1")).rejects.toThrow("password");
      await expect(query(url.replace("//mpi:", "//postgres:"), "SELECT 1")).rejects.toThrow(
        "no pg_hba.conf entry",
      );
    });
    expect((await stat(passwordFile())).mode & 0o777).toBe(0o600);
    expect((await stat(clusterFile(""))).mode & 0o777).toBe(0o700);
  });

  test("find a password that a full disk or a crash left no room for, and make another", async () => {
    await writeFile(passwordFile(), "");

    expect(await runs((server) => query(server.url, "SELECT count(*)::int n FROM kept"))).toEqual([{ n: 1 }]);
    expect(await readFile(passwordFile(), "utf8")).toMatch(/^[\w-]{43}\n$/);
  });

  test("say whether they start a server or join one that runs", async () => {
    const steps: string[] = [];
    const startTold = () =>
      startEmbeddedServer({ dataDirectory, log, progress: (step) => void steps.push(step) });
    const first = await startTold();
    const second = await startTold();
    await second.stop();
    await first.stop();

    expect(steps).toEqual([
      `Starting the embedded PostgreSQL in ${dataDirectory}`,
      `Joining the embedded PostgreSQL that runs in ${dataDirectory}`,
    ]);
  });

  test("leave no server behind", async () => {
    const url = await runs(async (server) => server.url);

    await isGone(url);
  });
});

describe("a server whose starter is gone", () => {
  test.each(["SIGKILL", "SIGINT"] as const)(
    "is taken over, when %s ended the starter's group",
    async (signal) => {
      const starter = await startElsewhere({ dataDirectory });
      process.kill(-(starter.process.pid ?? 0), signal);
      await ended(starter.process);

      await runs(async (server) => expect(server.url).toBe(starter.url));

      await isGone(starter.url);
    },
  );

  test("is ended, when it does not take our password", async () => {
    const starter = await startElsewhere({ dataDirectory });
    await query(starter.url, "ALTER ROLE mpi PASSWORD 'another'");
    starter.process.kill("SIGKILL");
    await ended(starter.process);

    const rows = await runs((server) => {
      expect(server.url).not.toBe(starter.url);
      return query(server.url, "SELECT count(*)::int n FROM kept");
    });

    expect(rows).toEqual([{ n: 1 }]);
  });

  test("has its data recovered, when it was killed too", async () => {
    const starter = await startElsewhere({ dataDirectory });
    await query(starter.url, "CREATE TABLE written_last AS SELECT 7 n");
    process.kill(Number((await readFile(clusterFile("postmaster.pid"), "utf8")).split("\n")[0]), "SIGKILL");
    starter.process.kill("SIGKILL");
    await ended(starter.process);

    expect(await runs((server) => query(server.url, "SELECT n FROM written_last"))).toEqual([{ n: 7 }]);
  });

  test.each([
    ["", () => Promise.resolve()],
    [", and the password is lost", () => rm(passwordFile())],
  ])("is waited for, when one of its sessions outlives it%s", async (_and, meanwhile) => {
    const starter = await startElsewhere({ dataDirectory });
    const working = query(starter.url, BUSY_FOR_4_S).catch(() => []);
    await expect
      .poll(() => query(starter.url, "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'DO%'"))
      .toHaveLength(1);
    process.kill(Number((await readFile(clusterFile("postmaster.pid"), "utf8")).split("\n")[0]), "SIGKILL");
    starter.process.kill("SIGKILL");
    await ended(starter.process);
    await meanwhile();

    expect(await runs((server) => query(server.url, "SELECT 1 n"))).toEqual([{ n: 1 }]);
    await working;
  });
});

describe("two at once on one data folder", () => {
  test("share one server, which the last to stop ends", async () => {
    const [here, there, elsewhere] = await Promise.all([start(), start(), startElsewhere({ dataDirectory })]);
    expect(elsewhere.error).toBe("");
    expect(new Set([here.url, there.url, elsewhere.url]).size).toBe(1);

    await Promise.all([here.stop(), elsewhere.stop()]);
    expect(await query(there.url, "SELECT 1 n")).toEqual([{ n: 1 }]);

    await there.stop();
    await isGone(there.url);
  });

  test("share one server on a new folder too", async () => {
    const fresh = await mkdtemp(join(tmpdir(), "embedded-"));
    const starters = await Promise.all([1, 2, 3].map(() => startElsewhere({ dataDirectory: fresh })));

    expect(starters.map((starter) => starter.error)).toEqual(["", "", ""]);
    expect(new Set(starters.map((starter) => starter.url)).size).toBe(1);

    await Promise.all(starters.map((starter) => starter.stop()));
    await rm(fresh, { recursive: true });
  });
});

describe("a postmaster.pid that lies", () => {
  test.each([
    ["", () => Promise.resolve()],
    [", nor when the password is lost", () => rm(passwordFile())],
  ])("because its number is another process's now, is no obstacle%s", async (_and, meanwhile) => {
    const { uid, gid } = await stat(clusterFile(""));
    const stranger = spawn("sleep", ["600"], { ...(process.getuid?.() === 0 && { uid, gid }), cwd: "/" });
    await writeFile(clusterFile("postmaster.pid"), `${stranger.pid}\n${clusterFile("")}\n1\n5432\n\n\n`);
    await meanwhile();

    expect(await runs((server) => query(server.url, "SELECT 1 n"))).toEqual([{ n: 1 }]);

    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    stranger.kill();
  });

  test("because its server ends while it is asked, leads to another one, with the same password", async () => {
    const password = await readFile(passwordFile(), "utf8");
    const { uid, gid } = await stat(clusterFile(""));
    const dying = spawn(
      process.execPath,
      [join(import.meta.dirname, "dying-server.ts"), "postgres", "-D", clusterFile("")],
      { ...(process.getuid?.() === 0 && { uid, gid }), cwd: "/", stdio: ["ignore", "pipe", "inherit"] },
    );
    const port = await new Promise<string>((resolve) =>
      dying.stdout.once("data", (line) => resolve(String(line))),
    );
    const lines = [dying.pid, clusterFile(""), 1, port.trim(), "", "", "", "ready", ""];
    await writeFile(clusterFile("postmaster.pid"), lines.join("\n"));

    expect(await runs((server) => query(server.url, "SELECT 1 n"))).toEqual([{ n: 1 }]);
    await ended(dying);
    expect(await readFile(passwordFile(), "utf8")).toBe(password);
  });

  test("because the folder is a copy, does not lead to the server of the original", async () => {
    const copy = await mkdtemp(join(tmpdir(), "embedded-"));
    await runs(async (original) => {
      await copyOwned(join(dataDirectory, "postgres"), join(copy, "postgres"));
      const copied = await startEmbeddedServer({ dataDirectory: copy, log });

      expect(copied.url).not.toBe(original.url);
      expect(await query(copied.url, "SHOW data_directory")).toEqual([
        { data_directory: join(copy, "postgres", "cluster") },
      ]);

      await copied.stop();
      expect(await query(original.url, "SELECT 1 n")).toEqual([{ n: 1 }]);
    });
    await rm(copy, { recursive: true });
  });
});

test("a server that ends on its own is reported with the end of its log", async () => {
  log.error.mockClear();
  const server = await start();

  process.kill(await serverPid(), "SIGQUIT");

  await expect.poll(() => log.error).toHaveBeenCalledOnce();
  expect(log.error.mock.lastCall?.[0]).toMatch(/ended on its own.*immediate shutdown request/s);
  await server.stop();
});

test("why a server ended is said before anybody is told of it, who may end the process at once", async () => {
  log.error.mockClear();
  const said = Promise.withResolvers<number>();
  const onEnd = () => said.resolve(log.error.mock.calls.length);
  const server = await startEmbeddedServer({ dataDirectory, log, onEnd });

  process.kill(await serverPid(), "SIGQUIT");

  expect(await said.promise).toBe(1);
  await server.stop();
});

test("what a server says of its end is not lost among the connections that it refuses meanwhile", async () => {
  log.error.mockClear();
  const server = await start();
  await onServer(server.url, async () => {
    process.kill(await serverPid(), "SIGTERM");
    await vi.waitFor(() => expect(query(server.url, "SELECT 1")).rejects.toThrow("shutting down"), 60_000);
    for (let refused = 0; refused < 10; refused++)
      await expect(query(server.url, "SELECT 1")).rejects.toThrow();
    process.kill(await serverPid(), "SIGQUIT");

    await expect.poll(() => log.error).toHaveBeenCalledOnce();
  });
  expect(log.error.mock.lastCall?.[0]).toMatch(/ended on its own.*smart shutdown request/s);
  await server.stop();
});

async function runs<T>(action: (server: EmbeddedServer) => Promise<T>): Promise<T> {
  const server = await start();
  try {
    return await action(server);
  } finally {
    await server.stop();
  }
}

function query(url: string, text: string): Promise<readonly unknown[]> {
  return onServer(url, async (client) => (await client.query(text)).rows);
}

async function serverPid(): Promise<number> {
  return Number((await readFile(clusterFile("postmaster.pid"), "utf8")).split("\n")[0]);
}

async function isGone(url: string): Promise<void> {
  await expect(query(url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
}

// With the owners kept, as the server's account must own its files.
async function copyOwned(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  const { uid, gid } = await stat(join(from, "cluster"));
  const child = spawn("chown", ["-R", `${uid}:${gid}`, join(to, "cluster")]);
  await ended(child);
}
