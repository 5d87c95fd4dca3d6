import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";
import { auditReader, openStorage, verifyChains } from "../../src/storage/index.ts";
import { fetchAs } from "../callers.ts";
import { startProcess } from "./service-process.ts";

const KILLS = 6;
const CLIENTS = 8;
const quiet = { info: () => undefined, warn: () => undefined, error: console.error };

/** A request that was answered: it must be in the trail of its patient ever after. */
interface Answered {
  readonly patientId: string;
  readonly requestId: string;
}

let dataDirectory: string;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "patient-index-"));
});

afterAll(async () => {
  await rm(dataDirectory, { recursive: true });
});

it("every answered read, search, write and refusal is in the trail, whose chains are whole", {
  timeout: 900_000,
}, async () => {
  const answered: Answered[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const service = await startProcess(dataDirectory);
    const before = answered.length;
    const working = Promise.all(Array.from({ length: CLIENTS }, () => workUntilGone(service.url, answered)));
    // However busy the machine is: in the middle of the work.
    await expect.poll(() => answered.length - before).toBeGreaterThan(CLIENTS);
    await delay(Math.random() * 700);
    await service.kill();
    await working;
  }
  expect(answered.length).toBeGreaterThan(KILLS * CLIENTS);
  const { trails, problems } = await lookAtTrail(answered);
  expect(problems).toEqual([]);
  const missing = answered.filter(({ patientId, requestId }) => !trails.get(patientId)?.has(requestId));
  expect(missing).toEqual([]);
});

/** Creates, reads, searches, replaces and asks in vain, until the service does not answer any more. */
async function workUntilGone(url: string, answered: Answered[]): Promise<void> {
  const ask = async (status: number, path: string, id?: string, body?: object) => {
    const requestId = randomUUID();
    const answer = await send(`${url}/fhir/${path}`, requestId, body && { id, body });
    if (!answer) return undefined;
    expect(answer.status, answer.text).toBe(status);
    const { id: created = "" } = JSON.parse(answer.text) as { id?: string };
    answered.push({ patientId: id ?? created, requestId });
    return { id: created };
  };
  for (;;) {
    const value = randomUUID();
    const created = await ask(201, "Patient", undefined, patient(value));
    if (!created) return;
    const { id } = created;
    const isThere =
      (await ask(200, `Patient/${id}`, id)) &&
      (await ask(200, `Patient?identifier=https://fhir.ee/sid/pid/fin/ni%7C${value}`, id)) &&
      (await ask(404, `Patient/${id}/_history/9`, id)) &&
      (await ask(200, `Patient/${id}`, id, { ...patient(value), active: false }));
    if (!isThere) return;
  }
}

/** undefined when the connection broke: then nothing was answered. */
async function send(
  url: string,
  requestId: string,
  write?: { readonly id: string | undefined; readonly body: object },
): Promise<{ status: number; text: string } | undefined> {
  try {
    const answer = await fetchAs(url, {
      headers: { "content-type": "application/fhir+json", "x-road-id": requestId },
      ...(write && { method: write.id === undefined ? "POST" : "PUT", body: JSON.stringify(write.body) }),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}

/** The request ids in the trail of each patient, and what is wrong with the chains. */
async function lookAtTrail(answered: readonly Answered[]) {
  const storage = await openStorage({ ...parseSettings({}), dataDirectory }, quiet, () => undefined);
  try {
    const problems: unknown[] = [];
    await verifyChains(storage.database, {
      problem: (problem) => void problems.push(problem),
      keyProblem: () => undefined,
      progress: () => undefined,
    });
    const reader = auditReader(storage.database, storage.keys);
    const trails = new Map<string, Set<string | undefined>>();
    for (const id of new Set(answered.map(({ patientId }) => patientId))) {
      const { entries } = await reader.find({ patients: [BigInt(id)], spans: [], size: 1000 });
      trails.set(id, new Set(entries.map(({ requestId }) => requestId)));
    }
    return { trails, problems };
  } finally {
    await storage.close();
  }
}

function patient(value: string): object {
  return {
    resourceType: "Patient",
    meta: { profile: ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-verified"] },
    identifier: [{ system: "https://fhir.ee/sid/pid/fin/ni", value }],
    name: [{ use: "official", family: "Virtanen", given: ["Aino"] }],
  };
}
