import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchAs } from "../callers.ts";
import { startProcess } from "./service-process.ts";

const KILLS = 6;
const WRITERS = 8;

/** A write that was answered with success: what must be there ever after. */
interface Acknowledged {
  readonly id: string;
  readonly version: number;
  readonly value: string;
}

let dataDirectory: string;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "patient-index-"));
});

afterAll(async () => {
  await rm(dataDirectory, { recursive: true });
});

describe("the service, killed while it writes and started again", () => {
  it("has every acknowledged write, whole", { timeout: 900_000 }, async () => {
    const acknowledged: Acknowledged[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const service = await startProcess(dataDirectory);
      const before = acknowledged.length;
      const writing = Promise.all(
        Array.from({ length: WRITERS }, () => writeUntilGone(service.url, acknowledged)),
      );
      // However busy the machine is: in the middle of writing.
      await expect.poll(() => acknowledged.length - before).toBeGreaterThan(WRITERS);
      await delay(Math.random() * 700);
      await service.kill();
      await writing;
    }
    const service = await startProcess(dataDirectory);
    expect(acknowledged.length).toBeGreaterThan(KILLS * WRITERS);
    for (const write of acknowledged) {
      expect(await versionAt(service.url, write)).toEqual({ status: 200, value: write.value });
      expect(await totalOf(service.url, write.value)).toBe(1);
    }
    expect(await service.stop()).toBe(0);
  });
});

/** Creates a patient and replaces it, again and again, until the service does not answer any more. */
async function writeUntilGone(url: string, acknowledged: Acknowledged[]): Promise<void> {
  for (;;) {
    const value = randomUUID();
    const created = await send(`${url}/fhir/Patient`, "POST", patient(value));
    if (!created) return;
    acknowledged.push({ id: created.id, version: 1, value });
    const replaced = await send(`${url}/fhir/Patient/${created.id}`, "PUT", {
      ...patient(value),
      active: false,
    });
    if (!replaced) return;
    acknowledged.push({ id: created.id, version: 2, value });
  }
}

/** The resource of an answer; undefined when the connection broke: then nothing was acknowledged. */
async function send(url: string, method: string, body: object): Promise<{ id: string } | undefined> {
  try {
    const answer = await fetchAs(url, {
      method,
      headers: { "content-type": "application/fhir+json" },
      body: JSON.stringify(body),
    });
    const resource = (await answer.json()) as { id: string };
    expect([200, 201], JSON.stringify(resource)).toContain(answer.status);
    return resource;
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}

async function versionAt(url: string, { id, version }: Acknowledged) {
  const answer = await fetchAs(`${url}/fhir/Patient/${id}/_history/${version}`);
  const resource = (await answer.json()) as { identifier?: { value?: string }[] };
  return { status: answer.status, value: resource.identifier?.[0]?.value };
}

async function totalOf(url: string, value: string): Promise<number> {
  const answer = await fetchAs(`${url}/fhir/Patient?identifier=https://fhir.ee/sid/pid/fin/ni%7C${value}`);
  return ((await answer.json()) as { total: number }).total;
}

function patient(value: string): object {
  return {
    resourceType: "Patient",
    meta: { profile: ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-verified"] },
    identifier: [{ system: "https://fhir.ee/sid/pid/fin/ni", value }],
    name: [{ use: "official", family: "Virtanen", given: ["Aino"] }],
  };
}
