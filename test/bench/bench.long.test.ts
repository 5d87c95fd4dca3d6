import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { onServer } from "../on-server.ts";
import type { Growth } from "./depth/growth-of.ts";
import { hotPaths } from "./profile/hot-paths.ts";
import type { Report } from "./ratios/report.ts";
import { ways } from "./ratios/scenarios.ts";

const PATIENTS = 300;
const BENCH = join(import.meta.dirname, "main.ts");

let folder: string;
let report: Report;
let shown: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patient-index-bench-"));
  ({ report, shown } = await bench(
    "--concurrency",
    "4",
    "--seconds",
    "0.3",
    "--warm-up",
    "0.2",
    "--rounds",
    "1",
  ));
}, 600_000);

afterAll(async () => {
  for (const name of await benchDatabases()) {
    if (name.includes(`_${PATIENTS}_`)) await onTestServer(`DROP DATABASE "${name}"`);
  }
  await rm(folder, { recursive: true });
});

test("the benchmark measures every way in every scenario, beside the yardstick", () => {
  const measured = report.figures.map(({ scenario, way }) => `${scenario} ${way}`);
  const scenarios = ["read", "search", "create", "update", "match"];
  expect(measured).toEqual(scenarios.flatMap((scenario) => ways.map((way) => `${scenario} ${way}`)));
  for (const { way, operationsPerSecond, p50, p99, ratio } of report.figures) {
    expect(operationsPerSecond).toBeGreaterThan(0);
    expect(p99).toBeGreaterThanOrEqual(p50);
    if (way === "yardstick") expect(ratio).toBe(1);
  }
  expect(report.validation?.perSecond).toBeGreaterThan(0);
  expect(report.load.patients).toBe(PATIENTS);
});

test("the benchmark shows what it measured as a table", () => {
  expect(shown).toMatch(/^read +yardstick +\d+/m);
  expect(shown).toMatch(/^validation of a patient of 15\d\d bytes: \d+ a second/m);
});

test("the benchmark keeps the seeded database, and removes the one that it changed", async () => {
  const names = await benchDatabases();
  expect(names.filter((name) => name.startsWith(`mpi_bench_${PATIENTS}_`))).toHaveLength(1);
  expect(names.filter((name) => name.startsWith("mpi_bench_run_"))).toEqual([]);
});

test("the benchmark of depth measures each operation at each size, beside the smallest", async () => {
  const growths = await depth("--largest", "10");
  expect(new Set(growths.map(({ dimension }) => dimension))).toEqual(
    new Set(["groups", "ended-links", "versions", "identifiers", "contacts", "observations", "trail"]),
  );
  for (const { microseconds, sizes } of growths) {
    expect(microseconds).toSatisfy(Number.isFinite);
    expect(sizes[0]?.ratio).toBe(1);
    expect(sizes.at(-1)?.size).toBe(10);
    for (const { ratio } of sizes) expect(ratio).toSatisfy(Number.isFinite);
  }
}, 900_000);

test("the benchmark of depth lengthens the change feed", async () => {
  const growths = await depth("--only", "feed", "--largest", "20000");
  expect(growths.map(({ operation }) => operation)).toContain("oldest since");
  for (const { microseconds } of growths) expect(microseconds).toSatisfy(Number.isFinite);
}, 600_000);

test("the profile divides the busy time of each hot path", async () => {
  const program = join(import.meta.dirname, "profile.ts");
  const short = ["--patients", String(PATIENTS), "--warm-up", "0.2", "--seconds", "0.3", "--write", folder];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...short], {
    env: { ...process.env, ...environmentOf() },
  });
  const [, ...rows] = stdout.trimEnd().split("\n");
  const columns = rows
    .slice(0, -1)
    .map((row) => [...row.matchAll(/([\d.]+) %/g)].map(([, share]) => Number(share)));
  for (const path of Object.keys(hotPaths).keys()) {
    const sum = columns.reduce((all, shares) => all + (shares[path] ?? Number.NaN), 0);
    // Each is rounded to a tenth.
    expect(Math.abs(sum - 100)).toBeLessThan(0.1 * columns.length);
  }
  for (const name of Object.keys(hotPaths)) {
    const file = await readFile(join(folder, `${name.replaceAll(" ", "-")}.cpuprofile`), "utf8");
    expect(JSON.parse(file)).toHaveProperty("samples");
  }
}, 600_000);

async function bench(...options: string[]): Promise<{ report: Report; shown: string }> {
  const json = join(folder, "report.json");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [BENCH, "--patients", String(PATIENTS), "--json", json, ...options],
    { env: { ...process.env, ...environmentOf() } },
  );
  return { report: JSON.parse(await readFile(json, "utf8")) as Report, shown: stdout };
}

/**
 * So short a run may well miss a bar, and ends with 1 then; its figures are written all the same. They may even be
 * negative: what the service does beside requests is taken off, and one tenth of a second of it is not like another.
 */
async function depth(...options: string[]): Promise<Growth[]> {
  const json = join(folder, "depth.json");
  const short = ["--rounds", "1", "--seconds", "0.1", "--warm-up", "0.1"];
  const program = join(import.meta.dirname, "depth.ts");
  await new Promise<void>((resolve, reject) => {
    execFile(
      process.execPath,
      [program, "--patients", String(PATIENTS), "--json", json, ...short, ...options],
      { env: { ...process.env, ...environmentOf() } },
      (error) => (error && error.code !== 1 ? reject(error) : resolve()),
    );
  });
  return JSON.parse(await readFile(json, "utf8")) as Growth[];
}

function environmentOf() {
  return { MPI_BENCH_DATABASE_URL: inject("testServer").url, MPI_DATA_DIR: folder };
}

async function benchDatabases(): Promise<string[]> {
  const rows = await onTestServer("SELECT datname FROM pg_database WHERE datname LIKE 'mpi_bench_%'");
  return rows.map((row) => row["datname"] as string);
}

function onTestServer(sql: string): Promise<Record<string, unknown>[]> {
  return onServer(inject("testServer").url, async (client) => (await client.query(sql)).rows);
}
