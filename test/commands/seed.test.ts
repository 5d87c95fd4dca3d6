import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { encodeResource } from "../../gateway/fhir/index.ts";
import { seedPatients } from "../../src/commands/seed/seed-patients.ts";
import { ProgressBar } from "../../src/commands/terminal/progress-bar.ts";
import { inventPeople } from "../../src/invented-people/index.ts";
import { openStorage, type Storage } from "../../src/storage/index.ts";
import { fetchAs } from "../callers.ts";
import { onServer } from "../database.ts";
import { type RunningService, startService } from "../service.ts";

const SEED = 3;
const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
const headers = { "content-type": "application/fhir+json" };

let folder: string;
let service: RunningService;
let storage: Storage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patient-index-seed-"));
  const keyFile = join(folder, "keys.json");
  service = await startService({ keyFile });
  const settings = { dataDirectory: undefined, keyFile, databasePool: 4, preparedStatements: true };
  storage = await openStorage({ ...settings, databaseUrl: service.databaseUrl }, quiet, () => undefined);
});

afterAll(async () => {
  await storage?.close();
  await service?.stop();
  await rm(folder, { recursive: true });
});

describe("seeding", () => {
  test("stores the people of a seed once, and goes on where it ended", async () => {
    expect(await seed(700)).toEqual({ stored: 700, present: 0 });
    expect(await seed(700)).toEqual({ stored: 0, present: 700 });
    expect(await seed(1200)).toEqual({ stored: 500, present: 700 });
  });

  test("leaves every table as if the people had been created one by one", async () => {
    const people = inventPeople(SEED, 0, 1200);
    const identifiers = people.flatMap(({ identifier }) => identifier).length;
    expect(await counts()).toEqual({
      patient: 1200,
      patient_history: 1200,
      feed: 1200,
      outbox: 0,
      identifier: identifiers,
      identifier_value: identifiers,
    });
    const differing = await query(`
      SELECT p.id FROM patient p LEFT JOIN patient_history h USING (id, version, updated_at, document)
      LEFT JOIN feed f ON f.patient_id = p.id AND f.version = p.version AND f.resource_type = 'Patient'
      WHERE h.id IS NULL OR f.position IS NULL OR p.last_event <> 1 OR p.version <> 1`);
    expect(differing).toEqual([]);
  });

  test("lets each person be found by each identifier, as invented", async () => {
    for (const person of inventPeople(SEED, 0, 60)) {
      const { system, value } = person.identifier.at(-1) ?? {};
      const found = await search(`identifier=${encodeURIComponent(`${system}|${value}`)}`);
      const expected = encodeResource(PatientSchema, person);
      expect(found.total).toBe(1);
      expect(found.entry[0].resource).toMatchObject(expected);
    }
  });

  test("finds the seeded by birth date, and lets them be changed", async () => {
    const [person] = inventPeople(SEED, 0, 50).filter(({ deceased }) => deceased.case === "deceasedDateTime");
    const found = await search(`birthdate=${person?.birthDate}&deceased=true`);
    const [patient] = found.entry.map((entry: { resource: object }) => entry.resource);
    const telecom = [{ system: "phone", value: "+3725123456", use: "mobile" }];
    const answer = await fetchAs(`${service.url}/fhir/Patient/${patient.id}`, {
      method: "PUT",
      headers,
      body: JSON.stringify({ ...patient, telecom }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      meta: { versionId: "2" },
      telecom,
      address: patient.address,
    });
  });

  test("at the same time as another seeding of the same people stores each person once", async () => {
    const both = await Promise.all([seed(2400), seed(2400)]);
    expect(both[0].stored + both[1].stored).toBe(1200);
    expect((await counts())["patient"]).toBe(2400);
  });

  test("gives a person with an identifier of somebody else's no place in the index", async () => {
    const [foreigner = create(PatientSchema)] = inventPeople(SEED, 2400, 2500).filter(isForeign);
    const created = await fetchAs(`${service.url}/fhir/Patient`, {
      method: "POST",
      headers,
      body: JSON.stringify(encodeResource(PatientSchema, foreigner)),
    });
    expect(created.status).toBe(201);
    expect(await seed(2500)).toEqual({ stored: 99, present: 2401 });
  });
});

describe("the progress of seeding", () => {
  test("is a bar on a terminal, closed by a new line", () => {
    expect(shown({ isTTY: true }, [4, 10])).toMatch(
      /^\r\[#{12}-{18}\] 4 of 10 .*\r\[#{30}\] 10 of 10 \(100 %\).*\n$/,
    );
  });

  test("is a line for each tenth elsewhere", () => {
    expect(shown({}, [0.5, 1, 1.5, 5, 10]).trim().split("\n")).toHaveLength(3);
  });
});

function seed(patients: number) {
  return seedPatients(storage, { patients, seed: SEED, now: () => new Date(), onProgress: () => undefined });
}

function shown(screen: { isTTY?: boolean }, steps: readonly number[]): string {
  let text = "";
  const bar = new ProgressBar(10, { ...screen, write: (more) => (text += more) });
  for (const done of steps) bar.show(done);
  return text;
}

function isForeign({ identifier }: ReturnType<typeof inventPeople>[number]): boolean {
  return identifier.every(({ system }) => !system?.includes("/est/"));
}

async function search(query: string) {
  const answer = await fetchAs(`${service.url}/fhir/Patient?${query}`);
  expect(answer.status).toBe(200);
  // biome-ignore lint/suspicious/noExplicitAny: a Bundle as JSON, taken apart by the tests.
  return (await answer.json()) as any;
}

async function counts(): Promise<Record<string, number>> {
  const tables = ["patient", "patient_history", "feed", "outbox", "identifier", "identifier_value"];
  const entries = tables.map(async (table) => {
    const [row] = await query(`SELECT count(*)::int AS n FROM ${table}`);
    return [table, row?.["n"] as number] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function query(sql: string): Promise<Record<string, unknown>[]> {
  return onServer(service.databaseUrl, async (client) => (await client.query(sql)).rows);
}
