import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";

const REPOSITORY = join(import.meta.dirname, "../..");

let dataDirectory: string;
let postmasterFile: string;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "patient-index-"));
  postmasterFile = join(dataDirectory, "postgres", "cluster", "postmaster.pid");
});

afterEach(() => rm(dataDirectory, { recursive: true }));

function start() {
  return spawn(process.execPath, ["src/start.mjs"], {
    cwd: REPOSITORY,
    env: {
      ...process.env,
      MPI_DATA_DIR: dataDirectory,
      MPI_HTTP_PORT: "0",
      MPI_GRPC_PORT: "0",
      MPI_SANDBOX_PORT: "0",
      MPI_LOG_LEVEL: "silent",
      DATABASE_URL: "",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

it.each(["SIGTERM", "SIGINT"] as const)(
  "a service that gets %s while it starts ends its embedded database, too",
  { timeout: 120_000 },
  async (signal) => {
    const starting = start();
    const said = text(starting.stdout);
    const isUp = async () =>
      existsSync(postmasterFile) && (await readFile(postmasterFile, "utf8")).includes("ready");
    await expect.poll(isUp, { timeout: 60_000, interval: 5 }).toBe(true);
    starting.kill(signal);
    starting.kill(signal);
    const [code] = await once(starting, "exit");
    expect({ code, isLeft: existsSync(postmasterFile) }).toEqual({ code: 0, isLeft: false });
    expect(await said).toMatch(/Stopping\n(?!.*is ready)[\s\S]*Stopped\n$/);
  },
);
