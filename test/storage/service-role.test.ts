import { createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JobService, JobState } from "#proto/patientindex/v1/job_service_pb.ts";
import { parseSettings } from "../../src/config.ts";
import { grantService, holdDatabase, openJobQueue } from "../../src/storage/index.ts";
import { transportAs } from "../caller-transport.ts";
import { createEmptyDatabase, onServer, type TestDatabase } from "../database.ts";
import { send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { administrator } from "../jobs/administrator.ts";
import { type RunningService, startService } from "../service.ts";

/** A role of the test server that owns nothing, with the password of the one that does. */
const role = process.env["MPI_TEST_SERVICE_ROLE"];
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

// The embedded server has but one role.
describe.skipIf(role === undefined)("a service whose role does not own the tables", () => {
  /** Lines of its log. */
  const logged: string[] = [];
  let database: TestDatabase;
  let service: RunningService;
  let url: string;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    // Twice, as with each new version.
    for (let time = 0; time < 2; time++) await prepare(database.url, role ?? "");
    url = Object.assign(new URL(database.url), { username: role }).href;
    service = await startService(
      { databaseUrl: url },
      pino({ level: "warn" }, { write: (line) => void logged.push(line) }),
    );
  });

  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it("stores, changes and links patients, and shows the trail", async () => {
    const [one, other] = [await stored(inventedPatient()), await stored(inventedPatient())];
    const body = JSON.stringify({ ...one, language: "et" });
    expect((await fhir(`Patient/${one.id}`, { method: "PUT", body })).status).toBe(200);
    const parameter = [
      { name: "source-patient", valueReference: { reference: `Patient/${one.id}` } },
      { name: "target-patient", valueReference: { reference: `Patient/${other.id}` } },
    ];
    const pair = JSON.stringify({ resourceType: "Parameters", parameter });
    expect((await fhir("Patient/$link", { method: "POST", body: pair })).status).toBe(200);
    const feed = await fhir("Patient/_history");
    expect(feed.json.total).toBe(5);
    expect(feed.json.entry).toHaveLength(5);
  });

  it("passes over ids that may be lost, in a database that was put back", async () => {
    const [before, other] = [await stored(inventedPatient()), inventedPatient()];
    await onServer(database.url, (client) =>
      client.query("UPDATE lease SET holder = 'of another server' WHERE name = 'patient-ids'"),
    );
    const entry = [{ resource: other, request: { method: "POST", url: "Patient" } }];
    const body = JSON.stringify({ resourceType: "Bundle", type: "batch", entry: [...entry, ...entry] });
    const { json } = await fhir("", { method: "POST", body });
    expect(Number(json.entry[0].resource.id)).toBeGreaterThan(Number(before.id) + 1_000_000);
  });

  it("does jobs, and has nothing to complain of", async () => {
    const transport = transportAs(service.grpcPort, administrator);
    try {
      const jobs = createClient(JobService, transport);
      const { job } = await jobs.startJob({ type: "check-index" });
      const state = async () => (await jobs.getJob({ id: job?.id ?? "" })).job?.state;
      await expect.poll(state).toBe(JobState.SUCCEEDED);
    } finally {
      transport.close();
    }
    expect(logged.map((line) => JSON.parse(line).msg)).not.toContainEqual(expect.stringMatching(/audit/));
    expect(logged.filter((line) => line.includes("denied"))).toEqual([]);
  });

  it.each([
    ["change an entry of the trail", "UPDATE audit_event SET n = n"],
    ["remove one", "DELETE FROM audit_event"],
    ["remove them all", "TRUNCATE audit_event"],
    ["change what was migrated", "DELETE FROM _prisma_migrations"],
    ["change a table", "ALTER TABLE patient ADD COLUMN more int"],
    ["make one", "CREATE TABLE more (id int)"],
  ])("cannot %s", async (_what, statement) => {
    await expect(onServer(url, (client) => client.query(statement))).rejects.toMatchObject({ code: "42501" });
  });

  async function stored(body: Record<string, unknown>) {
    const { status, json } = await fhir("Patient", { method: "POST", body: JSON.stringify(body) });
    expect(status).toBe(201);
    return json;
  }

  function fhir(path: string, request = {}) {
    return send(`${service.url}/fhir/${path}`, request);
  }
});

it("the role that owns the tables is not made one that only serves: the next migration would fail", async () => {
  const database = await createEmptyDatabase();
  try {
    const owner = decodeURIComponent(new URL(database.url).username);
    await expect(prepare(database.url, owner)).rejects.toThrow(/owns the tables/);
    const may = "SELECT has_table_privilege('_prisma_migrations', 'INSERT') AS may";
    const { rows } = await onServer(database.url, (client) => client.query(may));
    expect(rows).toEqual([{ may: true }]);
  } finally {
    await database.drop();
  }
});

async function prepare(url: string, role: string): Promise<void> {
  const { close } = await holdDatabase({ ...parseSettings({}), databaseUrl: url }, quiet, () => undefined);
  await (await openJobQueue({ url, onError: console.error })).close();
  try {
    await grantService(url, role);
  } finally {
    await close();
  }
}
