import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fetchAs } from "../callers.ts";
import { createTestDatabase, onServer, type TestDatabase } from "../database.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { startProcess } from "./service-process.ts";

const KILLS = 4;
const WRITERS = 3;
const TOGETHER = 60;

let database: TestDatabase;
let dataDirectory: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDirectory = await mkdtemp(join(tmpdir(), "patient-index-"));
});

afterAll(async () => {
  await database.drop();
  await rm(dataDirectory, { recursive: true });
});

it("the service, killed while batches create patients, has all of a batch or nothing of it", {
  timeout: 900_000,
}, async () => {
  const acknowledged: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const service = await startProcess(dataDirectory, database.url);
    const before = acknowledged.length;
    const writing = Promise.all(
      Array.from({ length: WRITERS }, () => createUntilGone(service.url, acknowledged)),
    );
    // However busy the machine is: in the middle of writing.
    await expect.poll(() => acknowledged.length - before).toBeGreaterThan(TOGETHER);
    await delay(Math.random() * 500);
    await service.kill();
    await writing;
  }
  const service = await startProcess(dataDirectory, database.url);
  const left = await onServer(database.url, async (client) => {
    const { rows } = await client.query<{ id: string; whole: boolean }>(
      `SELECT id, (SELECT count(*) FROM patient_history h WHERE h.id = p.id) = 1
         AND (SELECT count(*) FROM identifier i WHERE i.patient_id = p.id) = 1
         AND (SELECT count(*) FROM identifier_value v WHERE v.patient_id = p.id) = 1
         AND (SELECT count(*) FROM audit_event e JOIN audit_stream s USING (stream_id, n, hash)
              WHERE stream_id = p.id) = 1
         AND EXISTS (SELECT FROM block_key b WHERE b.patient_id = p.id) AS whole
       FROM patient p`,
    );
    return rows;
  });
  const ids = new Set(left.map(({ id }) => id));
  expect(left.filter(({ whole }) => !whole)).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(KILLS * TOGETHER);
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expect(ids.size % TOGETHER).toBe(0);
  expect(await service.stop()).toBe(0);
});

/** Sends batches until the service does not answer any more. */
async function createUntilGone(url: string, acknowledged: string[]): Promise<void> {
  for (;;) {
    const ids = await createdBy(url);
    if (!ids) return;
    acknowledged.push(...ids);
  }
}

/** The ids of new patients; undefined when the connection broke: then nothing was acknowledged. */
async function createdBy(url: string): Promise<string[] | undefined> {
  const entry = Array.from({ length: TOGETHER }, () => ({
    resource: inventedPatient(),
    request: { method: "POST", url: "Patient" },
  }));
  try {
    const answer = await fetchAs(`${url}/fhir`, {
      method: "POST",
      headers: { "content-type": "application/fhir+json" },
      body: JSON.stringify({ resourceType: "Bundle", type: "batch", entry }),
    });
    const bundle = (await answer.json()) as { entry: { resource: { id: string } }[] };
    return bundle.entry.map(({ resource }) => resource.id);
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}
