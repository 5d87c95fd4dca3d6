import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { WayToDatabase } from "../way-to-database.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";

/** What the rest of a stop may take after the grace, and time to notice it on a slow machine. */
const LONGEST_MS = 5_000 + 15_000;

let dataDirectory: string;
let database: TestDatabase;
let way: WayToDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "patient-index-"));
  database = await createTestDatabase();
});

beforeEach(async () => {
  way = await WayToDatabase.to(database.url);
  service = await startProcess(dataDirectory, way.url, { MPI_SHUTDOWN_GRACE_MS: "100" });
});

afterEach(async () => {
  await service.kill();
  await way.cut();
});

afterAll(async () => {
  await database.drop();
  await rm(dataDirectory, { recursive: true });
});

it("a signal ends the process in time though the database does not answer, and tells by its exit code", async () => {
  way.silence();
  const toldAt = performance.now();
  expect(await service.stop()).toBe(1);
  expect(performance.now() - toldAt).toBeLessThan(LONGEST_MS);
});
