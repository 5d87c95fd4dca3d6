import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";
import { addSecondary } from "../../src/identifier-index/index.ts";
import { openStorage, verifyChains } from "../../src/storage/index.ts";
import { fetchAs } from "../callers.ts";
import { createTestDatabase, onServer, type TestDatabase } from "../database.ts";
import { send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { administrator } from "../jobs/administrator.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";

const BUNDLES = 10;
const CLIENTS = 3;
const PATIENCE = { timeout: 400_000, interval: 100 };
const quiet = { info: () => undefined, warn: () => undefined, error: console.error };

let database: TestDatabase;
let folder: string;
const processes: ServiceProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "stood-still-"));
  await start();
});

afterAll(async () => {
  for (const one of processes) one.resume();
  await Promise.all(processes.map((one) => one.stop()));
  await database.drop();
  await rm(folder, { recursive: true });
});

it("a process that stood still while another went on with its rotation does no harm when it goes on", {
  timeout: 1_200_000,
}, async () => {
  const [still] = processes;
  for (let n = 0; n < BUNDLES; n++) await storeHundred();
  const secondary = await addSecondary(join(folder, "keys.json"));
  await startJob("reencrypt-index");
  await expect.poll(() => part("reencrypt-index"), PATIENCE).toBeGreaterThan(0.1);
  still?.suspend();
  await start();
  const stored: string[] = [];
  const working = Promise.all(Array.from({ length: CLIENTS }, (_, n) => storeWhileRunning(n, stored)));
  await expect.poll(() => part("reencrypt-index"), PATIENCE).toBeGreaterThan(0.5);
  still?.resume();
  await working;

  expect(await ended("reencrypt-index")).toEqual({ state: "succeeded", problems: 0 });
  expect(await keysInUse()).toEqual([secondary]);
  expect(stored.length).toBeGreaterThan(CLIENTS);
  for (const token of stored) expect(await holders(token)).toEqual([1, 1]);
  await startJob("check-index");
  expect(await ended("check-index")).toEqual({ state: "succeeded", problems: 0 });
  expect(await feed()).toEqual({ versions: 0, gaps: 0 });
  expect(await problemsOfChains()).toEqual([]);
});

async function start(): Promise<void> {
  processes.push(await startProcess(folder, database.url));
}

async function storeHundred(): Promise<void> {
  const entry = Array.from({ length: 100 }, () => ({
    resource: inventedPatient(),
    request: { method: "POST", url: "Patient" },
  }));
  const body = JSON.stringify({ resourceType: "Bundle", type: "transaction", entry });
  expect((await send(`${processes[0]?.url}/fhir`, { method: "POST", body })).status).toBe(200);
}

/** Stores patients through one process after the other, until the rotation is over; what stands still answers later. */
async function storeWhileRunning(client: number, stored: string[]): Promise<void> {
  for (let n = client; (await job("reencrypt-index")).state === "running"; n++) {
    const patient = inventedPatient() as { identifier: [{ system: string; value: string }] };
    const url = processes[n % processes.length]?.url;
    const { status } = await send(`${url}/fhir/Patient`, { method: "POST", body: JSON.stringify(patient) });
    const [{ system, value }] = patient.identifier;
    if (status === 201) stored.push(`${system}|${value}`);
  }
}

async function startJob(type: string): Promise<void> {
  const { status } = await fetchAs(
    `${processes.at(-1)?.url}/patientindex.v1.JobService/StartJob`,
    { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ type }) },
    administrator,
  );
  expect(status).toBe(200);
}

async function job(type: string): Promise<{ state: string; problems: number; part: number }> {
  return await onServer(database.url, async (client) => {
    const { rows } = await client.query(
      `SELECT state, problems::int, coalesce(done::float / nullif(total, 0), 0) AS part FROM job
       WHERE type = $1 AND n > 0 ORDER BY n DESC LIMIT 1`,
      [type],
    );
    return rows[0];
  });
}

async function part(type: string): Promise<number> {
  return (await job(type)).part;
}

async function ended(type: string): Promise<{ state: string; problems: number }> {
  const isOpen = async () => ["queued", "running"].includes((await job(type)).state);
  await expect.poll(isOpen, PATIENCE).toBe(false);
  const { state, problems } = await job(type);
  return { state, problems };
}

async function keysInUse(): Promise<string[]> {
  return await onServer(database.url, async (client) => {
    const { rows } = await client.query<{ key: string }>(
      `SELECT key_id AS key FROM identifier UNION SELECT key_id FROM identifier_value
       UNION SELECT author_key_id FROM patient_history WHERE author IS NOT NULL`,
    );
    return rows.map(({ key }) => key);
  });
}

/** How many patients each process finds by an identifier. */
async function holders(token: string): Promise<number[]> {
  const found = await Promise.all(
    processes.map(({ url }) => send(`${url}/fhir/Patient?identifier=${encodeURIComponent(token)}`)),
  );
  return found.map(({ json }) => json.total);
}

/** What the feed lacks: versions that are not in it, or twice, and positions. */
async function feed(): Promise<{ versions: number; gaps: number }> {
  await send(`${processes[0]?.url}/fhir/Patient/_history`);
  return await onServer(database.url, async (client) => {
    const { rows } = await client.query(
      `SELECT (SELECT count(*) FROM patient_history)::int - count(DISTINCT (patient_id, version))::int AS versions,
         (max(position) - count(DISTINCT (patient_id, version)))::int AS gaps FROM feed WHERE resource_type = 'Patient'`,
    );
    return rows[0];
  });
}

async function problemsOfChains(): Promise<unknown[]> {
  const settings = { ...parseSettings({}), databaseUrl: database.url, dataDirectory: folder };
  const storage = await openStorage(settings, quiet, () => undefined);
  const problems: unknown[] = [];
  try {
    await verifyChains(storage.database, {
      problem: (problem) => void problems.push(problem),
      keyProblem: (problem) => void problems.push(problem),
      progress: () => undefined,
    });
  } finally {
    await storage.close();
  }
  return problems;
}
