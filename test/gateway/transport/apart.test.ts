import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { Code, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JobService, JobState } from "#proto/patientindex/v1/job_service_pb.ts";
import { forward } from "../../../gateway/transport/connect/forward.ts";
import { forwardedServices } from "../../../gateway/transport/connect/forwarded-services.ts";
import { createRemoteTransport, type RemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import { printedPort, startChild } from "../../bench/servers/child.ts";
import { callerHeaders, trusts } from "../../callers.ts";
import { rejectionOf } from "../../grpc/refusals.ts";
import { administrator } from "../../jobs/administrator.ts";
import { type RunningService, startService } from "../../service.ts";
import { type HttpAnswer, type HttpRequest, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";
import { type StartedGateway, startGatewayTo } from "../started-gateway.ts";

const PUBLIC_URL = "https://mpi.example.ee";

let service: RunningService;
let gateway: StartedGateway;
let transport: RemoteTransport;

beforeAll(async () => {
  service = await startService({ publicUrl: PUBLIC_URL });
  transport = createRemoteTransport({ target: `127.0.0.1:${service.grpcPort}`, gatherCalls: true });
  gateway = await startGatewayTo(transport, {
    connectServices: forwardedServices.map((one) => forward(one, transport)),
    publicUrl: PUBLIC_URL,
  });
  trusts(gateway.url, service.sandboxUrl);
});

afterAll(async () => {
  await gateway.stop();
  transport.close();
  await service.stop();
});

/** The same request to the gateway in the core's process and to the one apart. */
async function both(path: string, request: HttpRequest = {}): Promise<[HttpAnswer, HttpAnswer]> {
  const headers = { "x-road-id": "call-1", ...request.headers };
  const within = await send(`${service.url}${path}`, { ...request, headers });
  const apart = await send(`${gateway.url}${path}`, { ...request, headers });
  return [within, apart];
}

const compared = ["content-type", "etag", "last-modified", "location", "retry-after", "x-request-id"];

function shown({ status, headers, text }: HttpAnswer) {
  return { status, text, headers: compared.map((name) => headers.get(name)) };
}

test("a gateway apart serves every service of the contract, as one in the core's process does", async () => {
  const files = await readdir("proto/patientindex/v1");
  const inContract = files.filter((name) => name.endsWith("_service.proto")).sort();
  expect(forwardedServices.map(({ file }) => `${basename(file.name)}.proto`).sort()).toEqual(inContract);
  for (const { typeName, methods } of forwardedServices) {
    const path = `/${typeName}/${methods[0]?.name}`;
    const headers = { "content-type": "application/json" };
    const [within, apart] = await both(path, { method: "POST", body: "{}", headers, as: "nobody" });
    expect([typeName, apart.status]).toEqual([typeName, within.status]);
    expect([typeName, apart.status]).not.toEqual([typeName, 404]);
  }
});

test("a gateway apart answers just as one in the core's process", async () => {
  const url = `${gateway.url}/fhir/Patient`;
  const { status, json, headers } = await send(url, {
    method: "POST",
    body: JSON.stringify(inventedPatient()),
  });
  expect([status, headers.get("location")]).toEqual([
    201,
    `${PUBLIC_URL}/fhir/Patient/${json.id}/_history/1`,
  ]);
  const paths = [
    `/fhir/Patient/${json.id}`,
    `/fhir/Patient/${json.id}?_elements=name`,
    `/fhir/Patient/${json.id}/_history`,
    `/fhir/Patient/${json.id}/_history/1`,
    `/fhir/Patient/_history?_count=5`,
    `/fhir/Patient?birthdate=1980-02-03&_count=1`,
    `/fhir/Patient?colour=red&_id=1&_id=2`,
    `/1.1.1/fhir/Patient/999999`,
    `/fhir/Patient/999999`,
  ];
  for (const path of paths) {
    const [within, apart] = await both(path);
    expect(shown(apart)).toEqual(shown(within));
  }
  const faulty = { ...json, name: [], gender: "none", birthDate: "1980-02-30" };
  const [within, apart] = await both(`/fhir/Patient/${json.id}`, {
    method: "PUT",
    body: JSON.stringify(faulty),
    headers: { "accept-language": "et" },
  });
  expect(apart.status).toBe(400);
  expect(shown(apart)).toEqual(shown(within));
});

test("more faults than a gRPC status can carry: how many are left out is said", async () => {
  const telecom = Array.from({ length: 60 }, (_, index) => ({
    system: "fax",
    value: `${index}`,
    use: "none",
  }));
  const request = { method: "POST", body: JSON.stringify(inventedPatient({ telecom })) };
  const [within, apart] = await both("/fhir/Patient", request);
  const issuesOf = ({ json }: HttpAnswer): { severity: string; details: { text: string } }[] => json.issue;
  expect([within.status, apart.status]).toEqual([400, 400]);
  const shownApart = issuesOf(apart);
  const [last] = shownApart.slice(-1);
  expect(shownApart.slice(0, -1)).toEqual(issuesOf(within).slice(0, shownApart.length - 1));
  const left = issuesOf(within).length - (shownApart.length - 1);
  expect([last?.severity, last?.details.text]).toEqual([
    "information",
    expect.stringContaining(String(left)),
  ]);
});

test("browsers reach the core through it by Connect", async () => {
  const url = `${gateway.url}/patientindex.v1.PatientService/ReadPatient`;
  const { status, json } = await send(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: "999999" }),
  });
  expect([status, json.code]).toEqual([404, "not_found"]);
});

test("what is wrong is shown to browsers as JSON too, as by the one in the core's process", async () => {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify({ id: "999999" }) };
  const [within, apart] = await both("/patientindex.v1.PatientService/ReadPatient", request);
  expect(within.json.details[0].debug.issues[0].code).toBe("MPI-072");
  expect(apart.json).toEqual(within.json);
});

test("a gateway apart that stops tells those who watch a job, and does not wait for them", async () => {
  const child = await startChild({
    command: ["gateway/main.ts"],
    environment: {
      MPI_HTTP_PORT: "0",
      MPI_CORE_ADDRESS: `127.0.0.1:${service.grpcPort}`,
      MPI_LOG_LEVEL: "silent",
      MPI_SHUTDOWN_GRACE_MS: "60000",
    },
    ready: /gateway is ready/,
  });
  const baseUrl = `http://127.0.0.1:${printedPort(child, /ready on port (\d+)/)}`;
  const jobs = createClient(JobService, createConnectTransport({ baseUrl, httpVersion: "1.1" }));
  const headers = await callerHeaders(service.url, administrator);
  const watching = jobs.watchJob({ id: "purge-cache" }, { headers })[Symbol.asyncIterator]();
  expect((await watching.next()).value?.job?.state).toBe(JobState.STANDING);
  const refusal = rejectionOf(watching.next());
  const startedAt = performance.now();
  await child.stop();
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect((await refusal).code).toBe(Code.Unavailable);
});
