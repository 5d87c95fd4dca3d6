import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, onServer, type TestDatabase } from "../database.ts";
import { send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { sandboxControl } from "../registers/sandbox-control.ts";
import { type RunningService, startService } from "../service.ts";
import { WayToDatabase } from "../way-to-database.ts";
import { scraped } from "./scraped.ts";

let database: TestDatabase;
let way: WayToDatabase;
let service: RunningService;

beforeAll(async () => {
  database = await createTestDatabase();
  way = await WayToDatabase.to(database.url);
  service = await startService({ databaseUrl: way.url, metricsPort: 0 });
});

afterAll(async () => {
  await way.mend();
  await service.stop();
  await way.cut();
  await database.drop();
});

const fhir = (path: string) => `${service.url}/fhir/${path}`;

it("requests are measured by the patterns of their routes, and calls of the core by their methods", async () => {
  const startedAt = performance.now();
  const created = await send(fhir("Patient"), { method: "POST", body: JSON.stringify(inventedPatient()) });
  await send(fhir(`Patient/${created.json.id}`));
  await send(fhir(`Patient/${created.json.id}`));
  await send(`${service.url}/nowhere`);
  const samples = await scraped(service.metricsUrl);
  const seconds = (performance.now() - startedAt) / 1000;

  const requests = "mpi_http_request_seconds_count";
  expect(samples.get(`${requests}{method="POST",route="/fhir/Patient",status="201"}`)).toBe(1);
  expect(samples.get(`${requests}{method="GET",route="/fhir/Patient/:id",status="200"}`)).toBe(2);
  expect(samples.get(`${requests}{method="GET",route="none",status="404"}`)).toBe(1);
  const call = 'service="patientindex.v1.PatientService",method="ReadPatient",status="OK"';
  expect(samples.get(`mpi_call_seconds_count{${call}}`)).toBe(2);
  // In seconds, as their names say.
  const read = 'mpi_http_request_seconds_sum{method="GET",route="/fhir/Patient/:id",status="200"}';
  for (const sum of [read, `mpi_call_seconds_sum{${call}}`]) expect(samples.get(sum)).toBeLessThan(seconds);
  expect(samples.get("mpi_http_requests_in_flight")).toBe(0);
});

it("what is refused is counted by its reason", async () => {
  await send(fhir("Patient/999999999"));
  await send(fhir("Patient/999999999"), { as: "nobody" });
  const samples = await scraped(service.metricsUrl);

  expect(samples.get('mpi_refusals_total{reason="PATIENT_RESOURCE_NOT_FOUND"}')).toBe(1);
  expect(samples.get('mpi_refusals_total{reason="TOKEN_MISSING"}')).toBe(1);
});

it("patients whom a batch does not store are counted by their reasons, as if they came alone", async () => {
  const known = inventedPatient();
  await send(fhir("Patient"), { method: "POST", body: JSON.stringify(known) });
  const entry = [known, inventedPatient({ gender: "man" }), inventedPatient()].map((resource) => ({
    resource,
    request: { method: "POST", url: "Patient" },
  }));
  await send(`${service.url}/fhir`, {
    method: "POST",
    body: JSON.stringify({ resourceType: "Bundle", type: "batch", entry }),
  });
  const samples = await scraped(service.metricsUrl);

  expect(samples.get('mpi_refusals_total{reason="PATIENT_ALREADY_EXISTS"}')).toBe(1);
  expect(samples.get('mpi_refusals_total{reason="SEX_UNKNOWN"}')).toBe(1);
});

it("nothing that came with a request is found in them: no identifier, no name, no id, no path", async () => {
  const patient = inventedPatient({ name: [{ use: "official", family: "Raresurname", given: ["Aino"] }] });
  const [{ value } = { value: "" }] = patient["identifier"] as { value: string }[];
  await send(fhir("Patient"), { method: "POST", body: JSON.stringify(patient) });
  await send(fhir(`Patient?identifier=https://fhir.ee/sid/pid/fin/ppn%7C${value}&family=Raresurname`));
  await send(fhir("Patient/733117?_elements=secret"));
  await send(`${service.url}/733117/secret`, { headers: { "x-road-id": "secret" } });
  const metrics = await (await fetch(service.metricsUrl)).text();

  for (const one of [value, "Raresurname", "733117", "secret", "38010130257", "90001478"]) {
    expect(metrics).not.toContain(one);
  }
});

it("questions to registers are measured by what came of them, and a register that is not asked any more is named", async () => {
  const sandbox = sandboxControl(service.sandboxUrl);
  const questions = (samples: ReadonlyMap<string, number>, outcome: string) =>
    samples.get(`mpi_register_question_seconds_count{register="rr",service="person",outcome="${outcome}"}`);
  const sought = (code: string) => send(fhir(`Patient?identifier=https://fhir.ee/sid/pid/est/ni%7C${code}`));
  expect((await sought("36505280013")).json.total).toBe(1);
  const before = await scraped(service.metricsUrl);
  expect(questions(before, "answered")).toBeGreaterThan(0);
  expect(before.get('mpi_register_circuit_open{register="rr"}')).toBe(0);

  await sandbox.fail({ register: "rr", drop: true });
  for (const code of ["46602140023", "37001150096", "47107010106", "39503080128"]) {
    expect((await sought(code)).status).toBe(503);
  }
  const meanwhile = await scraped(service.metricsUrl);
  expect(questions(meanwhile, "unreachable")).toBe(4);
  expect(meanwhile.get('mpi_register_circuit_open{register="rr"}')).toBe(1);
  await sandbox.heal();
});

it("what waits in the database is told with the state of jobs", async () => {
  const samples = await scraped(service.metricsUrl);

  expect(samples.get("mpi_database_up")).toBe(1);
  expect(samples.get('mpi_jobs{type="deliver-notifications",state="standing"}')).toBe(1);
  expect(samples.get('mpi_database_connections{state="waiting"}')).toBe(0);
});

it("what others are still to be told is counted by kind, and how long it waits", async () => {
  const sandbox = sandboxControl(service.sandboxUrl);
  await sandbox.fail({ register: "wm", drop: true });
  const parameter = ["source-patient", "target-patient"].map(async (name) => {
    const { json } = await send(fhir("Patient"), { method: "POST", body: JSON.stringify(inventedPatient()) });
    return { name, valueReference: { reference: `Patient/${json.id}` } };
  });
  const parameters = { resourceType: "Parameters", parameter: await Promise.all(parameter) };
  const linked = await send(fhir("Patient/$link"), { method: "POST", body: JSON.stringify(parameters) });
  expect(linked.status).toBe(200);
  const waiting = await scraped(service.metricsUrl);
  expect(waiting.get('mpi_outbox_rows{kind="wm"}')).toBe(1);
  expect(waiting.get('mpi_outbox_oldest_seconds{kind="wm"}')).toBeLessThan(60);
  await sandbox.heal();
});

it("they are told while the database is away, and that it is", async () => {
  await way.cut();
  const samples = await scraped(service.metricsUrl);

  expect(samples.get("mpi_database_up")).toBe(0);
  expect([...samples.keys()].filter((key) => key.startsWith("mpi_jobs"))).toEqual([]);
  expect(samples.has("process_cpu_seconds_total")).toBe(true);
  await way.mend();
  await expect.poll(async () => (await scraped(service.metricsUrl)).get("mpi_database_up")).toBe(1);
});

it("a database that takes no writes counts as away, for nobody is answered then", async () => {
  const setReadOnly = (value: string) =>
    onServer(database.url, async (client) => {
      await client.query("SET default_transaction_read_only = off");
      const name = new URL(database.url).pathname.slice(1);
      await client.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}`);
    });
  const isUp = async () => (await scraped(service.metricsUrl)).get("mpi_database_up");
  await setReadOnly("on");
  way.hangUp();
  await expect.poll(isUp).toBe(0);
  expect((await send(`${service.url}/health/ready`)).status).toBe(503);
  await setReadOnly("off");
  way.hangUp();
  await expect.poll(isUp).toBe(1);
});

it("nothing else is to be had there", async () => {
  const written = await fetch(service.metricsUrl, { method: "POST" });
  const statuses = [
    (await fetch(service.metricsUrl.replace("/metrics", "/fhir/metadata"))).status,
    written.status,
    (await fetch(`${service.url}/metrics`)).status,
  ];
  expect(statuses).toEqual([404, 405, 404]);
  expect(written.headers.get("allow")).toBe("GET, HEAD");
});

it("docs/metrics.md explains each that is ours", async () => {
  const page = await readFile(join(import.meta.dirname, "../../docs/metrics.md"), "utf8");
  const metrics = await (await fetch(service.metricsUrl)).text();
  const ours = [...metrics.matchAll(/^# TYPE (mpi_\w+)/gm)].map(([, name]) => name);

  expect([...page.matchAll(/^\| `(mpi_\w+)` \|/gm)].map(([, name]) => name)).toEqual(ours);
});
