import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";
import { startRegisters } from "../../src/service.ts";
import { type Child, printedPort, startChild } from "../bench/servers/child.ts";
import { callerHeaders } from "../callers.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { type HttpAnswer, type HttpRequest, send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { type ChangingSandbox, startChangingSandbox } from "../registers/changing-sandbox.ts";
import { type RunningService, startService } from "../service.ts";
import { Collector, inNewTrace, named } from "./collector.ts";

let collector: Collector;
let sandbox: ChangingSandbox;
let database: TestDatabase;
let dataDirectory: string;
let adapters: Awaited<ReturnType<typeof startRegisters>>;
let core: RunningService;
let gateway: Child;
let url: string;

beforeAll(async () => {
  [collector, sandbox, database] = [
    await Collector.start(),
    await startChangingSandbox(),
    await createTestDatabase(),
  ];
  dataDirectory = await mkdtemp(join(tmpdir(), "tracing-"));
  const settings = { ...parseSettings({}), ...sandbox.settings, tracesEndpoint: collector.endpoint };
  adapters = await startRegisters({
    settings: { ...settings, databaseUrl: database.url, dataDirectory, registersPort: 0 },
    log: pino({ level: "silent" }),
    progress: () => undefined,
  });
  core = await startService({
    registersAddress: `127.0.0.1:${adapters.grpcPort}`,
    tracesEndpoint: collector.endpoint,
    authorCheck: false,
  });
  gateway = await startChild({
    command: ["gateway/main.ts"],
    environment: {
      MPI_HTTP_PORT: "0",
      MPI_CORE_ADDRESS: `127.0.0.1:${core.grpcPort}`,
      MPI_TRACES_ENDPOINT: `http://127.0.0.1:${collector.port}`,
      MPI_DEFAULT_LANGUAGE: "en",
      MPI_LOG_LEVEL: "silent",
    },
    ready: /gateway is ready/,
  });
  url = `http://127.0.0.1:${printedPort(gateway, /ready on port (\d+)/)}`;
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await adapters.stop();
  await sandbox.stop();
  await database.drop();
  await collector.stop();
  await rm(dataDirectory, { recursive: true });
});

/** Sends a request by the gateway apart, with a token that the core behind it takes. */
async function sent(path: string, request: HttpRequest = {}): Promise<HttpAnswer> {
  const headers = { ...(await callerHeaders(core.url)), ...request.headers };
  return await send(`${url}/fhir/${path}`, { ...request, headers });
}

const SEARCH = "patientindex.v1.PatientService/SearchPatients";
const READ = "patientindex.v1.PatientService/ReadPatient";
const PERSON = "patientindex.registers.v1.PopulationRegisterService/ReadPerson";

it("a request through gateway, core, adapter and register is one trace", async () => {
  const { traceId, spanId, headers } = inNewTrace();
  const identifier = "https://fhir.ee/sid/pid/est/ni%7C36505280013";
  const answer = await sent(`Patient?identifier=${identifier}`, { headers });
  expect(answer.json.total).toBe(1);

  await collector.trace(traceId, "GET /fhir/Patient", "POST rr/person");
  const spans = await collector.trace(traceId, SEARCH, SEARCH);
  const of = (kind: string) => spans.filter((span) => span.kind === kind);
  const way = [
    named(spans, "GET /fhir/Patient"),
    named(of("client"), SEARCH),
    named(of("server"), SEARCH),
    named(of("client"), PERSON),
    named(of("server"), PERSON),
    named(spans, "POST rr/person"),
  ];
  expect(way.map(({ service }) => service)).toEqual([
    "patient-index-gateway",
    "patient-index-gateway",
    "patient-index",
    "patient-index",
    "patient-index-registers",
    "patient-index-registers",
  ]);
  expect(way.map(({ parentId }) => parentId)).toEqual([spanId, ...way.slice(0, -1).map((one) => one.spanId)]);
  const ids = way.flatMap(({ attributes }) => attributes["mpi.request_id"] ?? []);
  expect(new Set(ids).size).toBe(1);
});

it("reads that go to the core as one call are each in the trace of their own request", async () => {
  const patient = JSON.stringify(inventedPatient());
  const { json } = await sent("Patient", { method: "POST", body: patient });
  const requests = Array.from({ length: 10 }, () => inNewTrace());
  await Promise.all(requests.map(({ headers }) => sent(`Patient/${json.id}`, { headers })));

  for (const { traceId } of requests) {
    await collector.trace(traceId, "GET /fhir/Patient/:id", "read patient");
    const spans = await collector.trace(traceId, READ, READ);
    const asked = named(
      spans.filter(({ kind }) => kind === "client"),
      READ,
    );
    const answered = named(
      spans.filter(({ kind }) => kind === "server"),
      READ,
    );
    expect([asked.parentId, answered.parentId]).toEqual([
      named(spans, "GET /fhir/Patient/:id").spanId,
      asked.spanId,
    ]);
  }
  expect(collector.spans.filter(({ name }) => name.includes("CallBatchService"))).toEqual([]);
});
