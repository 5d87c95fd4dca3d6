import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deliverAllNow } from "../../src/linkage/deliver-notifications.ts";
import { openDatabase } from "../../src/storage/connection/database.ts";
import { notificationQueue } from "../../src/storage/index.ts";
import { fetchAs } from "../callers.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { LinkModel } from "../linkage/link-model.ts";
import { said, wmReceiver } from "../linkage/wm-receiver.ts";
import { startProcess } from "./service-process.ts";

const REQUESTS = 200;
const CLIENTS = 6;
const PATIENTS_EACH = 4;
/** Nobody is told until the end: what waits then is all that there was to tell. */
const WITHOUT_WM = { MPI_WM_URL: "http://127.0.0.1:1/r1/EE/GOV/70000001/wm" };
/** Whoever was killed has the turn to deliver until its lease has run out. */
const TURN_MS = 300_000;

/** What a client knows: its patients, and what it asked for, acknowledged or not. */
interface Client {
  readonly patients: readonly string[];
  /** Such as `link 1>2` and `unlink 1`, in their order. */
  readonly acknowledged: string[];
  unanswered: number;
}

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

describe("the service, killed while it links and started again", () => {
  it("has every acknowledged link and unlink whole, and tells of each", { timeout: 1_800_000 }, async () => {
    const first = await startProcess(dataDirectory, database.url, WITHOUT_WM);
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => newClient(first.url)));
    await first.stop();
    while (acknowledgedBy(clients) < REQUESTS) {
      const service = await startProcess(dataDirectory, database.url, WITHOUT_WM);
      const before = acknowledgedBy(clients);
      const working = Promise.all(clients.map((client) => workUntilGone(service.url, client)));
      // However busy the machine is: in the middle of the work.
      await expect.poll(() => acknowledgedBy(clients) - before).toBeGreaterThan(CLIENTS);
      await delay(Math.random() * 600);
      await service.kill();
      await working;
    }
    const told = await deliverAll();
    const service = await startProcess(dataDirectory, database.url, WITHOUT_WM);
    for (const client of clients) {
      const model = heardOf(client, told);
      for (const id of client.patients) expect(await linksAt(service.url, id)).toEqual(model.linksOf(id));
    }
    expect(await service.stop()).toBe(0);
  });
});

function acknowledgedBy(clients: readonly Client[]): number {
  return clients.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
}

/** What was told of a client's patients has what it was acknowledged, in its order, and at most what it asked for. */
function heardOf({ patients, acknowledged, unanswered }: Client, told: readonly string[]): LinkModel {
  const model = new LinkModel();
  for (const id of patients) model.add(id, false);
  const open = [...acknowledged];
  let others = 0;
  for (const event of told) {
    const [, kind = "", lower = "", upper = ""] = /^(\w+) (\d+)>(\d+)$/.exec(event) ?? [];
    if (!patients.includes(lower)) continue;
    if (kind === "link") expect(model.link(lower, upper)).toBe(true);
    else expect(model.unlink(lower, upper)).toBe(lower);
    const short = kind === "link" ? event : `unlink ${lower}`;
    if (open[0] === short) open.shift();
    else others++;
  }
  expect(open).toEqual([]);
  expect(others).toBeLessThanOrEqual(unanswered);
  return model;
}

/** Links and unlinks its own patients, one request after the other, until the service does not answer any more. */
async function workUntilGone(url: string, client: Client): Promise<void> {
  for (;;) {
    const [source, target] = [anyOf(client.patients), anyOf(client.patients)];
    const operation = Math.random() < 0.6 ? "link" : "unlink";
    const answer = await operate(url, operation, source, target);
    if (!answer) {
      client.unanswered++;
      return;
    }
    if (answer.resourceType !== "Patient") continue;
    client.acknowledged.push(operation === "link" ? `link ${source}>${target}` : `unlink ${answer.id}`);
  }
}

/** The resource of an answer; undefined when the connection broke. */
async function operate(
  url: string,
  operation: string,
  source: string,
  target: string,
): Promise<{ resourceType: string; id: string } | undefined> {
  const parameter = Object.entries({ "source-patient": source, "target-patient": target }).map(
    ([name, id]) => ({
      name,
      valueReference: { reference: `Patient/${id}` },
    }),
  );
  try {
    const answer = await post(`${url}/fhir/Patient/$${operation}`, { resourceType: "Parameters", parameter });
    const resource = (await answer.json()) as { resourceType: string; id: string };
    expect([200, 400, 422], JSON.stringify(resource)).toContain(answer.status);
    return resource;
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}

async function newClient(url: string): Promise<Client> {
  const patients: string[] = [];
  while (patients.length < PATIENTS_EACH) {
    const answer = await post(`${url}/fhir/Patient`, {
      resourceType: "Patient",
      meta: { profile: ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-verified"] },
      identifier: [{ system: "https://fhir.ee/sid/pid/fin/ni", value: randomUUID() }],
      name: [{ use: "official", family: "Virtanen", given: ["Aino"] }],
    });
    patients.push(((await answer.json()) as { id: string }).id);
  }
  return { patients, acknowledged: [], unanswered: 0 };
}

async function linksAt(url: string, id: string): Promise<string[]> {
  const answer = await fetchAs(`${url}/fhir/Patient/${id}`);
  const { link = [] } = (await answer.json()) as { link?: { type: string; other: { reference: string } }[] };
  return link.map(({ type, other }) => `${type} ${other.reference.replace("Patient/", "")}`);
}

/** Delivers what waits in the database; answers with it in its order. */
async function deliverAll(): Promise<string[]> {
  const opened = openDatabase({
    url: database.url,
    poolSize: 2,
    preparedStatements: true,
    onConnectionError: () => undefined,
  });
  try {
    const receiver = wmReceiver();
    const queue = notificationQueue(opened);
    const delivery = {
      queue,
      notifier: receiver,
      authorOf: async () => undefined,
      now: async () => new Date(),
      onFailure: () => undefined,
    };
    const signal = AbortSignal.timeout(TURN_MS);
    while ((await deliverAllNow(delivery, signal)).delivered > 0);
    return receiver.taken.map(said);
  } finally {
    await opened.$disconnect();
  }
}

function post(url: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/fhir+json" };
  return fetchAs(url, { method: "POST", headers, body: JSON.stringify(body) });
}

function anyOf(ids: readonly string[]): string {
  return ids[Math.floor(Math.random() * ids.length)] ?? "";
}
