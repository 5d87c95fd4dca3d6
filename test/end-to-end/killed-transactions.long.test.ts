import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { marriageOf, spouseOf } from "../gateway/family.ts";
import { send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { startProcess } from "./service-process.ts";

const KILLS = 5;
const WRITERS = 6;
const PATIENT = "urn:uuid:6a1b7c2d-0000-4000-8000-000000000001";

/** A family that was asked for: the identifier of its patient, and whether the answer came. */
interface Asked {
  readonly criteria: string;
  acknowledged: boolean;
}

let dataDirectory: string;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "patient-index-"));
});

afterAll(async () => {
  await rm(dataDirectory, { recursive: true });
});

describe("the service, killed in the middle of transactions and started again", () => {
  it("has each of them whole or not at all, and every acknowledged one", { timeout: 900_000 }, async () => {
    const asked: Asked[] = [];
    const acknowledged = () => asked.filter((family) => family.acknowledged).length;
    for (let kill = 0; kill < KILLS; kill++) {
      const service = await startProcess(dataDirectory);
      const before = acknowledged();
      const writing = Promise.all(Array.from({ length: WRITERS }, () => writeUntilGone(service.url, asked)));
      // However busy the machine is: in the middle of writing.
      await expect.poll(() => acknowledged() - before).toBeGreaterThan(WRITERS);
      await delay(Math.random() * 200);
      await service.kill();
      await writing;
    }
    const service = await startProcess(dataDirectory);
    try {
      for (const family of asked) {
        const counts = await countsOf(service.url, family);
        expect(counts).toEqual(family.acknowledged || counts[0] === 1 ? [1, 2, 1] : [0, 0, 0]);
      }
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });
});

/** Stores families until the service does not answer any more. */
async function writeUntilGone(url: string, asked: Asked[]): Promise<void> {
  for (;;) {
    const patient = inventedPatient();
    const [{ system, value }] = patient["identifier"] as [{ system: string; value: string }];
    const family: Asked = { criteria: encodeURIComponent(`${system}|${value}`), acknowledged: false };
    asked.push(family);
    const entry = [patient, spouseOf(PATIENT), spouseOf(PATIENT), marriageOf(PATIENT)].map((resource) => ({
      ...(resource === patient && { fullUrl: PATIENT }),
      resource,
      request: { method: "POST", url: resource["resourceType"] },
    }));
    const body = JSON.stringify({ resourceType: "Bundle", type: "transaction", entry });
    try {
      const { status, json } = await send(`${url}/fhir`, { method: "POST", body });
      expect(status, JSON.stringify(json)).toBe(200);
    } catch (cause) {
      if (cause instanceof TypeError) return;
      throw cause;
    }
    family.acknowledged = true;
  }
}

/** How many patients, contact persons and observations of a family there are. */
async function countsOf(url: string, { criteria }: Asked): Promise<number[]> {
  const { json: found } = await send(`${url}/fhir/Patient?identifier=${criteria}`);
  if (found.total === 0) return [0, 0, 0];
  const patient = `patient=Patient/${found.entry[0].resource.id}`;
  const { json: spouses } = await send(`${url}/fhir/RelatedPerson?${patient}`);
  const { json: marriages } = await send(`${url}/fhir/Observation?${patient}`);
  return [found.total, spouses.total, marriages.total];
}
