import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { doctor, trusts } from "../../callers.ts";
import { onServer } from "../../database.ts";
import { type RunningService, startService } from "../../service.ts";
import { type HttpAnswer, type HttpRequest, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";
import { type StartedGateway, startGatewayApart } from "../started-gateway.ts";

const PUBLIC_URL = "https://mpi.example.ee";
const FINLAND = "https://fhir.ee/sid/pid/fin/ppn";

/** A gateway apart from a core, which sends together what it is asked at the same moment. */
function gatewayTo(port: number): Promise<StartedGateway> {
  return startGatewayApart(`127.0.0.1:${port}`, { gatherCalls: true, publicUrl: PUBLIC_URL });
}

describe("hundreds of reads at once through a gateway apart", () => {
  let service: RunningService;
  let apart: StartedGateway;
  let id: string;
  let value: string;
  /** The methods that the core was called with, and their request ids. */
  let called: { method: string; requestId: string }[] = [];

  beforeAll(async () => {
    const log = pino(
      { level: "debug" },
      {
        write: (line) => {
          const { msg, method, requestId } = JSON.parse(line);
          if (msg === "call ended") called.push({ method, requestId });
        },
      },
    );
    service = await startService({ publicUrl: PUBLIC_URL }, log);
    apart = await gatewayTo(service.grpcPort);
    trusts(apart.url, service.sandboxUrl);
    const patient = inventedPatient();
    const created = await send(`${service.url}/fhir/Patient`, {
      method: "POST",
      body: JSON.stringify(patient),
    });
    ({ id } = created.json);
    [{ value }] = created.json.identifier;
  });

  afterAll(async () => {
    await apart.stop();
    await service.stop();
  });

  /** Everybody and everything that may be in one batch, 200 of them. */
  function requests(): [path: string, request: HttpRequest][] {
    const read = `/fhir/Patient/${id}`;
    const kinds: [string, HttpRequest][] = [
      [read, {}],
      [read, { as: { ...doctor, role: "administrator" } }],
      [read, { as: { ...doctor, role: "patient" } }],
      [read, { as: "nobody" }],
      [read, { headers: { authorization: "Bearer what.ever.itis" } }],
      [read, { headers: { "x-road-userid": "EE47101010033" } }],
      [`${read}?_elements=name`, { headers: { accept: "application/fhir+xml" } }],
      ["/fhir/Patient/999999", { headers: { "accept-language": "et" } }],
      ["/1.1.1/fhir/Patient/999999", {}],
      [`/fhir/Patient?identifier=${encodeURIComponent(`${FINLAND}|${value}`)}`, {}],
    ];
    return Array.from({ length: 20 }, (_, round) =>
      kinds.map(([path, request], kind): [string, HttpRequest] => [
        path,
        { ...request, headers: { ...request.headers, "x-road-id": `R-${round}-${kind}` } },
      ]),
    ).flat();
  }

  const headersShown = ["content-type", "etag", "last-modified", "www-authenticate", "x-request-id"];

  function shown({ status, headers, text }: HttpAnswer) {
    return { status, text, headers: headersShown.map((name) => headers.get(name)) };
  }

  async function entries(): Promise<number> {
    const { rows } = await onServer(service.databaseUrl, (client) =>
      client.query<{ count: string }>("SELECT count(*) FROM audit_event WHERE patient_id = $1", [id]),
    );
    return Number(rows[0]?.count);
  }

  /** The answers of a gateway to all of them at once, and the entries that they left in the patient's trail. */
  async function answersOf(url: string) {
    const before = await entries();
    const answers = await Promise.all(
      requests().map(async ([path, request]) => shown(await send(`${url}${path}`, request))),
    );
    return { answers, left: (await entries()) - before };
  }

  test("each has the answer, and leaves the trail, that it would have alone", async () => {
    // Node takes one new connection in a turn of its event loop: that many at once come by connections that are open.
    await Promise.all(requests().map(() => send(`${apart.url}/health/live`)));
    called = [];
    const gathered = await answersOf(apart.url);
    const methods = called.map(({ method }) => method.split("/")[1]);
    const batches = methods.filter((method) => method === "MakeCalls").length;
    expect(batches).toBeGreaterThan(0);
    expect(batches).toBeLessThan(20);
    expect(methods.length - batches).toBe(200);
    const known = new Set(called.map(({ requestId }) => requestId));
    expect(requests().filter(([, { headers }]) => !known.has(headers?.["x-road-id"] ?? ""))).toEqual([]);
    const within = await answersOf(service.url);
    expect(gathered.answers).toEqual(within.answers);
    expect(gathered.answers.slice(0, 10).map(({ status }) => status)).toEqual([
      200, 403, 403, 401, 401, 401, 200, 404, 404, 200,
    ]);
    expect(gathered.left).toBe(within.left);
    // Of those that were served, and of those that were refused once it was known whom they asked for.
    expect(gathered.left).toBeGreaterThanOrEqual(60);
  });
});

test("whoever asks too often is told when to come back, and nobody else", async () => {
  const rate = 2;
  const service = await startService({ callerRate: rate });
  const apart = await gatewayTo(service.grpcPort);
  trusts(apart.url, service.sandboxUrl);
  const other = { ...doctor, application: "another" };
  const path = `${apart.url}/fhir/Patient/999999`;
  const startedAt = performance.now();
  const often = Array.from({ length: 40 }, () => send(path));
  const rarely = Array.from({ length: rate }, () => send(path, { as: other }));
  const answers = await Promise.all(often);
  const seconds = Math.ceil((performance.now() - startedAt) / 1000);
  const served = answers.filter(({ status }) => status === 404);
  expect(served.length).toBeGreaterThanOrEqual(rate);
  expect(served.length).toBeLessThanOrEqual(Math.min(rate * (1 + seconds), 39));
  for (const { status, headers } of answers.filter((answer) => !served.includes(answer))) {
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
  expect((await Promise.all(rarely)).map(({ status }) => status)).toEqual(Array(rate).fill(404));
  await apart.stop();
  await service.stop();
});

test("everybody is told that the core is away", async () => {
  const apart = await gatewayTo(1);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => send(`${apart.url}/fhir/Patient/1`, { as: "nobody" })),
  );
  expect(answers.map(({ status, headers }) => [status, headers.has("retry-after")])).toEqual(
    Array(10).fill([503, true]),
  );
  await apart.stop();
});
