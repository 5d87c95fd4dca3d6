import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mpi-command-line-"));
});

afterAll(() => rm(folder, { recursive: true }));

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program on an empty data folder, and as if nothing else were set. */
function run(program: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { env: { PATH: process.env["PATH"], MPI_DATA_DIR: folder }, timeout: 20_000 },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

const programs = [
  ["src/start.mjs", "npm start"],
  ["gateway/main.ts", "npm run gateway"],
  ["src/commands/registers.ts", "npm run registers"],
  ["src/commands/sandbox.ts", "npm run sandbox"],
  ["src/commands/seed.ts", "npm run seed"],
  ["src/commands/job.ts", "npm run job"],
  ["src/commands/keys.ts", "npm run keys"],
  ["src/commands/audit-verify.ts", "npm run audit:verify"],
  ["test/bench/main.ts", "npm run bench"],
  ["test/bench/loading.ts", "npm run bench:loading"],
  ["test/bench/cores.ts", "npm run bench:cores"],
  ["test/bench/register-outage.ts", "npm run bench:registers"],
  ["test/bench/audit-cost.ts", "npm run bench:audit"],
  ["test/bench/growth.ts", "npm run bench:growth"],
  ["test/bench/memory.ts", "npm run bench:memory"],
  ["test/bench/start.ts", "npm run bench:start"],
  ["test/bench/overload.ts", "npm run bench:overload"],
] as const;

describe.each(programs)("%s", (program, name) => {
  it("shows its usage when it is asked for, and on a command line that it does not understand", async () => {
    const [asked, wrong] = await Promise.all([run(program, ["--help"]), run(program, ["--colour"])]);
    expect(asked).toMatchObject({ code: 0, stderr: "" });
    expect(asked.stdout.startsWith(name)).toBe(true);
    expect(wrong).toMatchObject({ code: 64, stdout: "" });
    expect(wrong.stderr).toContain("'--colour'");
    expect(wrong.stderr).toContain(asked.stdout);
    expect(await readdir(folder)).toEqual([]);
  });
});

it("-h is for help too, and a word too many is one that is not understood", async () => {
  const [asked, short] = [
    await run("src/commands/seed.ts", ["--help"]),
    await run("src/commands/seed.ts", ["-h"]),
  ];
  expect(short).toEqual(asked);
  const wrong = await run("src/commands/seed.ts", ["everybody"]);
  expect(wrong).toMatchObject({ code: 64, stderr: expect.stringContaining("everybody") });
});
