import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";
import { addSecondary, promoteSecondary } from "../../src/identifier-index/index.ts";
import { reencryptIndex } from "../../src/index-maintenance/index.ts";
import {
  keyPlaceOf,
  keyRotations,
  keysAtHand,
  openStorage,
  type Storage,
  verifyChains,
} from "../../src/storage/index.ts";
import { copyDatabase, createTestDatabase, type TestDatabase } from "../database.ts";
import { codesOf, send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { newRun } from "../index-maintenance/processes.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";

let dataDirectory: string;
let database: TestDatabase;
let backup: TestDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "patient-index-"));
  database = await createTestDatabase();
  backup = database;
});

afterAll(async () => {
  await service.kill();
  await database.drop();
  if (backup !== database) await backup.drop();
  await rm(dataDirectory, { recursive: true });
});

it("a database put back to a time before a rotation serves on with the keys of today", {
  timeout: 900_000,
}, async () => {
  const [kept, lost, place] = await untilTheRestore();
  service = await startProcess(dataDirectory, backup.url);

  expect((await get(`Patient/${kept.id}`)).json.identifier).toEqual(kept.identifier);
  const [{ system, value }] = kept.identifier;
  expect((await get(`Patient?identifier=${system}|${value}`)).json.total).toBe(1);

  const others = [await created(), await created()];
  const ids = [kept, ...lost, ...others].map(({ id }) => id);
  expect(new Set(ids).size).toBe(5);

  const stale = await get(`Patient/_history${place}`);
  expect([stale.status, codesOf(stale)]).toEqual([400, ["MPI-096"]]);
  const since = encodeURIComponent(kept.meta.lastUpdated);
  const anew = await get(`Patient/_history?_sort=_lastUpdated&_since=${since}`);
  const seen = anew.json.entry.map(({ resource }: { resource: { id: string } }) => resource.id);
  expect(seen).toEqual([kept.id, ...others.map(({ id }) => id)]);

  await service.stop();
  await withStorage(backup, async (storage) => {
    const problems: unknown[] = [];
    const tell = (problem: unknown) => void problems.push(problem);
    const looked = { problem: tell, keyProblem: tell, head: () => undefined, progress: () => undefined };
    const keys = await keysAtHand(settingsFor(backup), storage.database);
    await verifyChains(storage.database, { ...looked, keys });
    expect(problems).toEqual([]);
    await rotate(storage);
  });
});

/** Somebody from before the backup, who came after it, and the place of a reader of the feed behind one of those. */
async function untilTheRestore(): Promise<[kept: Stored, lost: Stored[], place: string]> {
  service = await startProcess(dataDirectory, database.url);
  const kept = await created();
  await service.stop();
  backup = await copyDatabase(database);

  service = await startProcess(dataDirectory, database.url);
  const lost = [await created(), await created()];
  const feed = await get("Patient/_history?_sort=_lastUpdated&_count=2");
  const { url } = feed.json.link.find(({ relation }: { relation: string }) => relation === "next");
  const { search } = new URL(url);
  expect((await get(`Patient/_history${search}`)).json.entry).toHaveLength(1);
  await service.stop();
  await withStorage(database, rotate);
  return [kept, lost, search];
}

async function rotate(storage: Storage): Promise<void> {
  const { path, wrappings } = await keyPlaceOf(settingsFor(database));
  const keyId = await addSecondary(path, wrappings);
  await reencryptIndex(keyRotations(storage)).run(newRun());
  await promoteSecondary(path, keyId);
}

// biome-ignore lint/suspicious/noExplicitAny: a resource as JSON
type Stored = any;

async function created(): Promise<Stored> {
  const body = JSON.stringify(inventedPatient());
  const { status, json } = await send(`${service.url}/fhir/Patient`, { method: "POST", body });
  expect(status).toBe(201);
  return json;
}

function get(path: string) {
  return send(`${service.url}/fhir/${path}`);
}

function settingsFor({ url }: TestDatabase) {
  return { ...parseSettings({}), databaseUrl: url, dataDirectory };
}

async function withStorage(of: TestDatabase, work: (storage: Storage) => Promise<void>): Promise<void> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const storage = await openStorage(settingsFor(of), log, () => undefined);
  try {
    await work(storage);
  } finally {
    await storage.close();
  }
}
