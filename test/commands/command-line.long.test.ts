import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectUsage } from "./run-program.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mpi-command-line-"));
});

afterAll(() => rm(folder, { recursive: true }));

it.each([
  ["test/bench/loading.ts", "npm run bench:loading"],
  ["test/bench/cores.ts", "npm run bench:cores"],
  ["test/bench/register-outage.ts", "npm run bench:registers"],
  ["test/bench/audit-cost.ts", "npm run bench:audit"],
  ["test/bench/growth.ts", "npm run bench:growth"],
  ["test/bench/depth.ts", "npm run bench:depth"],
  ["test/bench/memory.ts", "npm run bench:memory"],
  ["test/bench/start.ts", "npm run bench:start"],
  ["test/bench/overload.ts", "npm run bench:overload"],
])(
  "%s shows its usage when it is asked for, and on a command line that it does not understand",
  async (program, name) => {
    await expectUsage(program, name, folder);
    expect(await readdir(folder)).toEqual([]);
  },
);
