import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { onServer } from "../on-server.ts";
import type { Report } from "./report.ts";
import { ways } from "./scenarios.ts";

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
}, 120_000);

afterAll(async () => {
  for (const name of await benchDatabases()) {
    if (name.includes(`_${PATIENTS}_`)) await onTestServer(`DROP DATABASE "${name}"`);
  }
  await rm(folder, { recursive: true });
});

test("the benchmark measures every way in every scenario, beside the yardstick", () => {
  const measured = report.figures.map(({ scenario, way }) => `${scenario} ${way}`);
  const scenarios = ["read", "search", "create", "update"];
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

async function bench(...options: string[]): Promise<{ report: Report; shown: string }> {
  const json = join(folder, "report.json");
  const environment = { MPI_BENCH_DATABASE_URL: inject("testServer").url, MPI_DATA_DIR: folder };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [BENCH, "--patients", String(PATIENTS), "--json", json, ...options],
    { env: { ...process.env, ...environment } },
  );
  return { report: JSON.parse(await readFile(json, "utf8")) as Report, shown: stdout };
}

async function benchDatabases(): Promise<string[]> {
  const rows = await onTestServer("SELECT datname FROM pg_database WHERE datname LIKE 'mpi_bench_%'");
  return rows.map((row) => row["datname"] as string);
}

function onTestServer(sql: string): Promise<Record<string, unknown>[]> {
  return onServer(inject("testServer").url, async (client) => (await client.query(sql)).rows);
}
