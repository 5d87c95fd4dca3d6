import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mpi-unknown-settings-"));
});

afterAll(() => rm(folder, { recursive: true }));

/** What a program says at its start, in surroundings in which it soon ends. */
function errorsOf(
  program: string,
  settings: Record<string, string>,
  args: readonly string[],
): Promise<string> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  // No port of a program is free there, and no server.
  const away = { MPI_CORE_ADDRESS: "127.0.0.1:1", DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
  const env = { PATH, NODE_COMPILE_CACHE, MPI_DATA_DIR: folder, ...away, ...settings };
  return new Promise((resolve) => {
    const running = execFile(process.execPath, [program, ...args], { env }, (_error, _stdout, stderr) =>
      resolve(stderr),
    );
    running.stdout?.on("data", (text: string) => {
      if (text.includes("ready")) running.kill("SIGTERM");
    });
  });
}

it.each([
  ["gateway/main.ts", { MPI_HTTP_PORT: "0" }, []],
  ["src/commands/registers.ts", { MPI_GRPC_PORT: "0" }, []],
  ["src/commands/sandbox.ts", { MPI_SANDBOX_PORT: "0" }, []],
  ["src/commands/job.ts", { MPI_TOKEN: "none" }, ["list"]],
  ["src/commands/keys.ts", {}, ["show"]],
  ["src/commands/seed.ts", {}, ["--patients", "1"]],
  ["src/commands/audit-verify.ts", {}, []],
])("%s tells of settings that nobody reads", async (program, settings, args) => {
  const told = await errorsOf(program, { ...settings, MPI_AUTOR_CHECK: "off" }, args);
  expect(told).toContain("MPI_AUTOR_CHECK");
  expect(told).toContain("nobody reads these settings: are they misspelt?");
  expect(told).not.toContain("MPI_DATA_DIR");
});
