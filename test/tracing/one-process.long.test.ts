import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JobService } from "#proto/patientindex/v1/job_service_pb.ts";
import { createRemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { currentTrace } from "../../src/call/current-call.ts";
import { callerHeaders, usedTokens } from "../callers.ts";
import { send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { sandboxControl } from "../registers/sandbox-control.ts";
import { type RunningService, startService } from "../service.ts";
import { Collector, inNewTrace, named, WITHIN } from "./collector.ts";

let collector: Collector;
let service: RunningService;
const lines: string[] = [];

beforeAll(async () => {
  collector = await Collector.start();
  const log = pino({ level: "debug", mixin: currentTrace }, { write: (line: string) => lines.push(line) });
  service = await startService({ tracesEndpoint: collector.endpoint }, log);
});

afterAll(async () => {
  await service.stop();
  await collector.stop();
});

const fhir = (path: string) => `${service.url}/fhir/${path}`;
const EST = "https://fhir.ee/sid/pid/est/ni";
const PERSON = "patientindex.registers.v1.PopulationRegisterService/ReadPerson";

async function createdPatient(patient = inventedPatient()): Promise<string> {
  const { status, json } = await send(fhir("Patient"), { method: "POST", body: JSON.stringify(patient) });
  expect(status).toBe(201);
  return json.id;
}

describe("a request", () => {
  it("is one trace, the caller's: the request, its call of the core, what that waits for", async () => {
    const id = await createdPatient();
    const { traceId, spanId, headers } = inNewTrace();
    await send(fhir(`Patient/${id}`), { headers: { ...headers, "x-road-id": "call-4711" } });

    const spans = await collector.trace(traceId, "GET /fhir/Patient/:id");
    const request = named(spans, "GET /fhir/Patient/:id");
    expect(request).toMatchObject({
      kind: "server",
      parentId: spanId,
      isError: false,
      service: "patient-index",
    });
    expect(request.attributes).toEqual({
      "http.request.method": "GET",
      "http.route": "/fhir/Patient/:id",
      "http.response.status_code": 200,
      "url.scheme": "http",
      "mpi.request_id": "call-4711",
    });
    const call = named(spans, "patientindex.v1.PatientService/ReadPatient");
    expect(call).toMatchObject({ kind: "internal", parentId: request.spanId });
    expect(call.attributes).toEqual({
      "rpc.system.name": "grpc",
      "rpc.method": "patientindex.v1.PatientService/ReadPatient",
      "rpc.status_code": "OK",
      "mpi.request_id": "call-4711",
    });
    expect(named(spans, "read patient").parentId).toBe(call.spanId);
  });

  it("without a trace begins one, and so does one whose traceparent cannot be understood", async () => {
    const before = collector.spans.length;
    await send(fhir("metadata"), { headers: { traceparent: `00-${"0".repeat(32)}-${"b".repeat(16)}-01` } });
    await send(fhir("metadata"), { headers: { "x-road-id": "call-4712" } });

    const roots = () => collector.spans.slice(before).filter(({ name }) => name === "GET /fhir/metadata");
    await expect.poll(() => roots().length, WITHIN).toBe(2);
    for (const { parentId, traceId } of roots())
      expect([parentId, /^0+$/.test(traceId)]).toEqual(["", false]);
  });

  it("that writes shows its statements, by what they do and with which table", async () => {
    const { traceId, headers } = inNewTrace();
    const body = JSON.stringify(inventedPatient());
    await send(fhir("Patient"), { method: "POST", body, headers });

    const spans = await collector.trace(traceId, "POST /fhir/Patient");
    const call = named(spans, "patientindex.v1.PatientService/CreatePatient");
    const statements = spans.filter(
      ({ parentId, attributes }) => parentId === call.spanId && attributes["db.system.name"] === "postgresql",
    );
    expect(statements.map(({ name }) => name)).toContain("INSERT patient");
    expect(named(statements, "INSERT patient")).toMatchObject({
      kind: "client",
      attributes: {
        "db.system.name": "postgresql",
        "db.operation.name": "INSERT",
        "db.query.summary": "INSERT patient",
      },
    });
  });

  it("of several requests is one trace", async () => {
    const { traceId, headers } = inNewTrace();
    const entry = ["111111111", "222222222"].map((id) => ({
      request: { method: "GET", url: `Patient/${id}` },
    }));
    const body = JSON.stringify({ resourceType: "Bundle", type: "batch", entry });
    expect((await send(fhir(""), { method: "POST", body, headers })).status).toBe(200);

    const spans = await collector.trace(traceId, "POST /fhir");
    const whole = named(spans, "POST /fhir");
    const calls = spans.filter(({ name }) => name === "patientindex.v1.PatientService/ReadPatient");
    expect(calls.map(({ parentId }) => parentId)).toEqual([whole.spanId, whole.spanId]);
  });

  it("by Connect is one as well", async () => {
    const { traceId, spanId, headers } = inNewTrace();
    const path = "/patientindex.v1.PatientService/ReadPatient";
    const request = { method: "POST", headers: { ...headers, "content-type": "application/json" } };
    await send(`${service.url}${path}`, { ...request, body: '{"id":"999999999"}' });

    const spans = await collector.trace(traceId, `POST ${path}`);
    expect(named(spans, `POST ${path}`).parentId).toBe(spanId);
    expect(named(spans, path.slice(1)).parentId).toBe(named(spans, `POST ${path}`).spanId);
  });

  it("that is refused says why, by the reason alone, and is no fault of ours", async () => {
    const absent = inNewTrace();
    await send(fhir("Patient/999999999"), { headers: absent.headers });
    const malformed = inNewTrace();
    await send(fhir("Patient"), { method: "POST", body: "{", headers: malformed.headers });

    const byCore = await collector.trace(absent.traceId, "GET /fhir/Patient/:id");
    const call = named(byCore, "patientindex.v1.PatientService/ReadPatient");
    expect(call).toMatchObject({
      isError: false,
      attributes: { "rpc.status_code": "NOT_FOUND", "mpi.reason": "PATIENT_RESOURCE_NOT_FOUND" },
    });
    expect(named(byCore, "GET /fhir/Patient/:id")).toMatchObject({
      isError: false,
      attributes: { "http.response.status_code": 404, "mpi.reason": "PATIENT_RESOURCE_NOT_FOUND" },
    });
    const byGateway = await collector.trace(malformed.traceId, "POST /fhir/Patient");
    expect(byGateway.map(({ attributes }) => attributes["mpi.reason"])).toEqual(["JSON_MALFORMED"]);
  });

  it("is found in the log by its trace, in every line", async () => {
    const { traceId, headers } = inNewTrace();
    await send(fhir("Patient/999999999"), { headers });

    const told = () => lines.filter((line) => line.includes(traceId)).map((line) => JSON.parse(line));
    await expect.poll(() => told().length).toBe(2);
    expect(told().map(({ msg, trace_id }) => [msg, trace_id])).toEqual([
      ["call ended", traceId],
      ["request answered", traceId],
    ]);
  });

  it("for health is told to nobody", async () => {
    const { traceId, headers } = inNewTrace();
    expect((await send(`${service.url}/health/ready`, { headers })).status).toBe(200);
    const later = inNewTrace();
    await send(fhir("metadata"), { headers: later.headers });
    await collector.trace(later.traceId, "GET /fhir/metadata");

    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    const names = collector.spans.map(({ name }) => name);
    expect(names).not.toContain("patientindex.v1.ReadinessService/CheckReadiness");
  });

  it("whose caller's trace is not sampled is told to nobody", async () => {
    const unsampled = inNewTrace("00");
    await send(fhir("Patient/999999999"), { headers: unsampled.headers });
    const later = inNewTrace();
    await send(fhir("metadata"), { headers: later.headers });
    await collector.trace(later.traceId, "GET /fhir/metadata");

    expect(collector.spans.filter(({ traceId }) => traceId === unsampled.traceId)).toEqual([]);
  });
});

describe("a question to a register", () => {
  it("is a part of the request: asked of the adapter, and by that of the register, which learns the trace", async () => {
    const sandbox = sandboxControl(service.sandboxUrl);
    await sandbox.forgetCalls();
    const { traceId, headers } = inNewTrace();
    const path = fhir(`Patient?identifier=${EST}%7C36505280013`);
    expect((await send(path, { headers: { ...headers, tracestate: "vendor=1" } })).json.total).toBe(1);

    const spans = await collector.trace(traceId, "GET /fhir/Patient");
    const call = named(spans, "patientindex.v1.PatientService/SearchPatients");
    const [asked, answering] = [named(ofKind("client"), PERSON), named(ofKind("internal"), PERSON)];
    const question = named(spans, "POST rr/person");
    expect([asked.parentId, answering.parentId, question.parentId]).toEqual([
      call.spanId,
      asked.spanId,
      answering.spanId,
    ]);
    expect(question).toMatchObject({
      kind: "client",
      isError: false,
      attributes: {
        "http.request.method": "POST",
        "http.response.status_code": 200,
        "server.address": "127.0.0.1",
        "server.port": Number(new URL(service.sandboxUrl).port),
        "mpi.register": "rr",
        "mpi.register.service": "person",
      },
    });
    const { calls } = await sandbox.calls();
    expect(calls.map((one: { headers: object }) => one.headers)).toContainEqual(
      expect.objectContaining({
        traceparent: `00-${traceId}-${question.spanId}-01`,
        tracestate: "vendor=1",
      }),
    );

    function ofKind(kind: string) {
      return spans.filter((span) => span.kind === kind);
    }
  });

  it("that nobody answers is told with each attempt, and that it failed", async () => {
    const sandbox = sandboxControl(service.sandboxUrl);
    await sandbox.fail({ register: "rr", drop: true });
    const { traceId, headers } = inNewTrace();
    const answer = await send(fhir(`Patient?identifier=${EST}%7C46602140023`), { headers });
    await sandbox.heal();
    expect(answer.status).toBe(503);

    const spans = await collector.trace(traceId, "GET /fhir/Patient");
    const attempts = spans.filter(({ name }) => name === "POST rr/person");
    expect(attempts.map(({ attributes }) => attributes["http.request.resend_count"])).toEqual([
      undefined,
      1,
      2,
    ]);
    for (const { isError, attributes } of attempts) {
      expect([isError, attributes["error.type"]]).toEqual([true, "unreachable"]);
    }
    expect(named(spans, "GET /fhir/Patient")).toMatchObject({
      isError: true,
      attributes: { "error.type": "503", "mpi.reason": "RR_INTEGRATION_FAILED" },
    });
  });
});

describe("work that no request waits for", () => {
  it("is a trace of its own: a delivery", async () => {
    const [source, target] = [await createdPatient(), await createdPatient()];
    const parameter = [
      { name: "source-patient", valueReference: { reference: `Patient/${source}` } },
      { name: "target-patient", valueReference: { reference: `Patient/${target}` } },
    ];
    const body = JSON.stringify({ resourceType: "Parameters", parameter });
    const { traceId, headers } = inNewTrace();
    expect((await send(fhir("Patient/$link"), { method: "POST", body, headers })).status).toBe(200);

    const delivery = () => collector.spans.find(({ name }) => name === "deliver linkage-notification");
    await expect.poll(delivery, WITHIN).toMatchObject({ kind: "internal", parentId: "" });
    const spans = await collector.trace(delivery()?.traceId ?? "", "POST wm/linkages");
    expect(spans.map(({ name }) => name)).toContain(
      "patientindex.registers.v1.LinkageNotificationService/NotifyLinkage",
    );
    const linked = await collector.trace(traceId, "BEGIN", "COMMIT");
    expect(linked.filter(({ name }) => name.startsWith("deliver"))).toEqual([]);
  });

  it("is a trace of its own: a job", async () => {
    const target = `127.0.0.1:${service.grpcPort}`;
    const transport = createRemoteTransport({ target });
    const administrator = { personalCode: "38010130257", name: "A", organization: "70009770" };
    const headers = await callerHeaders(target, {
      ...administrator,
      role: "administrator",
      application: "job",
      scope: "",
    });
    await createClient(JobService, transport).startJob({ type: "purge-cache" }, { headers });
    transport.close();

    const job = () => collector.spans.find(({ name }) => name === "job purge-cache");
    await expect.poll(job, WITHIN).toMatchObject({ kind: "internal", parentId: "", isError: false });
  });
});

it("nothing that came with a request is told: no identifier, no name, no id, no path, no token", async () => {
  const patient = inventedPatient({ name: [{ use: "official", family: "Raresurname", given: ["Aino"] }] });
  const [{ value } = { value: "" }] = patient["identifier"] as { value: string }[];
  const id = await createdPatient(patient);
  await send(fhir(`Patient?identifier=https://fhir.ee/sid/pid/fin/ppn%7C${value}&family=Raresurname`));
  await send(fhir("Patient/733117733?_elements=hidden"));
  await send(fhir(`Patient?identifier=${EST}%7C37001150096`));
  const { traceId, headers } = inNewTrace();
  const sent = { ...headers, tracestate: "hidden=1", "x-author-id": "EE37001150096" };
  await send(`${service.url}/733117733/hidden`, { headers: sent });
  const [unknown] = await collector.trace(traceId, "GET");
  expect(Object.keys(unknown?.attributes ?? {}).toSorted()).toEqual([
    "http.request.method",
    "http.response.status_code",
    "mpi.reason",
    "mpi.request_id",
    "url.scheme",
  ]);

  const posted = Buffer.concat(collector.posts).toString("latin1");
  expect(posted).toContain("patientindex.v1.PatientService/SearchPatients");
  const persons = ["38010130257", "90001478", "37001150096", "36505280013", "46602140023"];
  for (const one of [value, "Raresurname", "733117733", "hidden", ...persons, ...(await usedTokens())]) {
    expect(posted).not.toContain(one);
  }
  const told = collector.spans.flatMap(({ name, attributes }) => [name, ...Object.values(attributes)]);
  expect(
    told.filter((one) =>
      String(one)
        .split(/[^\w-]/)
        .includes(id),
    ),
  ).toEqual([]);
});

it("docs/tracing.md explains each attribute", async () => {
  const page = await readFile(join(import.meta.dirname, "../../docs/tracing.md"), "utf8");
  const list = await readFile(join(import.meta.dirname, "../../src/tracing/span.ts"), "utf8");
  const cells = [...page.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell).join();
  const explained = [...cells.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, name]) => name);
  const known = [...list.matchAll(/readonly "([\w.]+)"/g)].map(([, name]) => name);

  expect(explained.toSorted()).toEqual([...known, "error.type", "mpi.untold_children"].toSorted());
  const told = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
  expect([...told].filter((name) => !explained.includes(name))).toEqual([]);
});
