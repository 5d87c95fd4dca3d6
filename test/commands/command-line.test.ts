import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectUsage, runProgram } from "./run-program.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mpi-command-line-"));
});

afterAll(() => rm(folder, { recursive: true }));

it.each([
  ["src/start.mjs", "npm start"],
  ["gateway/main.ts", "npm run gateway"],
  ["src/commands/registers.ts", "npm run registers"],
  ["src/commands/sandbox.ts", "npm run sandbox"],
  ["src/commands/seed.ts", "npm run seed"],
  ["src/commands/migrate.ts", "npm run migrate"],
  ["src/commands/job.ts", "npm run job"],
  ["src/commands/keys.ts", "npm run keys"],
  ["src/commands/audit-verify.ts", "npm run audit:verify"],
  ["test/bench/main.ts", "npm run bench"],
])(
  "%s shows its usage when it is asked for, and on a command line that it does not understand",
  async (program, name) => {
    await expectUsage(program, name, folder);
    expect(await readdir(folder)).toEqual([]);
  },
);

it("-h is for help too, and a word too many is one that is not understood", async () => {
  const [asked, short, wrong] = await Promise.all(
    ["--help", "-h", "everybody"].map((word) => runProgram("src/commands/seed.ts", folder, word)),
  );
  expect(short).toEqual(asked);
  expect(wrong).toMatchObject({ code: 64, stderr: expect.stringContaining("everybody") });
});
