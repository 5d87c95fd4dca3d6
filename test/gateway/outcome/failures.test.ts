import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError, type ServiceImpl, type Transport } from "@connectrpc/connect";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import type { GatewayOptions } from "../../../gateway/server.ts";
import { createInProcessTransport } from "../../../gateway/transport/in-process/in-process.ts";
import { createRemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import { defaultErrorSystems, fault, type Meaning, MpiError } from "../../../src/errors/index.ts";
import { intercept, standardInterceptors } from "../../../src/grpc/interceptors/index.ts";
import { send } from "../http-client.ts";
import { startGatewayTo } from "../started-gateway.ts";

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function gatewayTo(transport: Transport, wanted: Partial<GatewayOptions> = {}): Promise<string> {
  const gateway = await startGatewayTo(transport, wanted);
  stops.push(() => gateway.stop(0));
  return gateway.url;
}

/** A gateway to a core whose reads do this, and which refuses as the real one does. */
function gatewayToCore(
  readPatient: ServiceImpl<typeof PatientService>["readPatient"],
  wanted: Partial<GatewayOptions> = {},
): Promise<string> {
  const log = pino({ level: "silent" });
  const interceptors = standardInterceptors(log, defaultErrorSystems);
  const service = intercept(PatientService, { readPatient }, { interceptors, defaultLanguage: "en" });
  return gatewayTo(createInProcessTransport([service]), wanted);
}

/** A gateway to something that fails without the core's words. */
function gatewayToFailing(failure: unknown, wanted: Partial<GatewayOptions> = {}): Promise<string> {
  const readPatient = () => {
    throw failure;
  };
  const service = intercept(PatientService, { readPatient }, { interceptors: [], defaultLanguage: "en" });
  return gatewayTo(createInProcessTransport([service]), wanted);
}

describe("a refusal of the core", () => {
  const refusals: readonly [Meaning, number, string][] = [
    ["TOKEN_MISSING", 401, "MPI-400"],
    ["PATIENT_ACCESS_DENIED", 403, "MPI-052"],
    ["RELATED_PERSON_DELETED", 410, "MPI-073"],
    ["SECONDARY_KEY_REQUIRED", 422, "MPI-005"],
    ["NOT_IMPLEMENTED", 501, "MPI-400"],
    ["INTERNAL_ERROR", 500, "MPI-001"],
  ];

  test.each(refusals)("%s is answered with %i", async (meaning, status, code) => {
    const url = await gatewayToCore(() => {
      throw MpiError.of([fault(meaning as "INTERNAL_ERROR")]);
    });
    const answer = await send(`${url}/fhir/Patient/1`);
    expect([answer.status, answer.json.issue[0].details.coding[0].code]).toEqual([status, code]);
  });

  test("keeps every issue, in order, with all that it says", async () => {
    const url = await gatewayToCore(() => {
      throw MpiError.of([
        fault("PARAMETER_MALFORMED", { param: "a" }, { expression: ["http.a"] }),
        fault("SERVICE_UNAVAILABLE"),
        { system: "RR", code: "17", text: "Register is closed" },
      ]);
    });
    const { json } = await send(`${url}/fhir/Patient/1`);
    expect(json).toEqual({
      resourceType: "OperationOutcome",
      issue: [
        {
          severity: "error",
          code: "value",
          details: {
            coding: [{ system: "https://mpi.tehik.ee", code: "MPI-096" }],
            text: expect.stringContaining("a has a malformed value"),
          },
          expression: ["http.a"],
        },
        {
          severity: "error",
          code: "transient",
          details: {
            coding: [{ system: "https://mpi.tehik.ee", code: "MPI-400" }],
            text: expect.any(String),
          },
          diagnostics: expect.stringContaining("try again later"),
        },
        {
          severity: "error",
          code: "exception",
          details: {
            coding: [{ system: "https://rahvastikuregister.ee", code: "17" }],
            text: "Register is closed",
          },
        },
      ],
    });
  });

  test("for want of a token says which scheme is wanted", async () => {
    const url = await gatewayToCore(() => {
      throw new MpiError("TOKEN_MISSING");
    });
    const { headers } = await send(`${url}/fhir/Patient/1`);
    expect(headers.get("www-authenticate")).toMatch(/^Bearer /);
  });

  test("for too many requests says when to come back", async () => {
    const url = await gatewayToCore(() => {
      throw new MpiError("TOO_MANY_REQUESTS", { seconds: "17" });
    });
    const { status, headers } = await send(`${url}/fhir/Patient/1`);
    expect([status, headers.get("retry-after")]).toEqual([429, "17"]);
  });

  test("that comes after the client's patience is 504", async () => {
    const url = await gatewayToCore(() => new Promise(() => {}), { callTimeoutMs: 500 });
    const { status, json } = await send(`${url}/fhir/Patient/1`);
    expect([status, json.issue[0].code]).toEqual([504, "timeout"]);
  });
});

describe("a core that is not there", () => {
  test("is 503 with Retry-After, and the gateway is alive but not ready", async () => {
    const transport = createRemoteTransport({ target: "127.0.0.1:1" });
    stops.push(async () => transport.close());
    const url = await gatewayTo(transport);
    const answer = await send(`${url}/fhir/Patient/1`);
    expect([answer.status, answer.json.issue[0].code]).toEqual([503, "transient"]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await send(`${url}/health/live`)).status).toBe(200);
    expect((await send(`${url}/health/ready`)).status).toBe(503);
  });

  test.each(["/fhir/Patient/1", "/fhir/Patient/1/_history", "/health/ready"])(
    "is told of in the log with the reason, which callers are not told: %s",
    async (path) => {
      const { url, told } = await gatewayToNothing();
      expect((await send(`${url}${path}`)).text).not.toContain("ECONNREFUSED");
      expect(told()).toEqual([expect.objectContaining({ reason: expect.stringContaining("ECONNREFUSED") })]);
    },
  );

  test("is told of in the log by one line, and a second later by one that counts the other requests", async () => {
    const { url, told } = await gatewayToNothing();
    const statuses = [];
    for (let count = 0; count < 5; count++) statuses.push((await send(`${url}/fhir/Patient/1`)).status);
    expect(statuses).toEqual([503, 503, 503, 503, 503]);
    await expect.poll(told).toMatchObject([
      { msg: "the core did not answer", route: "/fhir/Patient/:id", status: 503 },
      { msg: "the core did not answer more requests", requests: 4 },
    ]);
    const [first, others] = told();
    expect(others?.["reason"]).toBe(first?.["reason"]);
  });

  async function gatewayToNothing() {
    const transport = createRemoteTransport({ target: "127.0.0.1:1", gatherCalls: true });
    stops.push(async () => transport.close());
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line) => lines.push(line) });
    const told = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    return { url: await gatewayTo(transport, { log }), told };
  }
});

describe("what nobody expected", () => {
  test.each([
    ["an exception", new Error("secret detail")],
    ["a status without details", new ConnectError("secret detail", Code.DataLoss)],
  ])("%s is MPI-001, without its message, which is in no log either", async (_what, failure) => {
    const lines: string[] = [];
    const log = pino({ level: "debug" }, { write: (line) => lines.push(line) });
    const url = await gatewayToFailing(failure, { log });
    const { status, json, text } = await send(`${url}/fhir/Patient/1`, {
      headers: { "x-road-id": "call-1" },
    });
    expect([status, json.issue[0].details.coding[0].code]).toEqual([500, "MPI-001"]);
    expect(text).not.toContain("secret");
    const failed = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === "request failed");
    expect(failed).toMatchObject({ level: 50, requestId: "call-1", route: "/fhir/Patient/:id" });
    expect(lines.join()).not.toContain("secret");
  });
});

test("what nobody expected of entries of a batch is logged as that of a request alone is, once", async () => {
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line) => lines.push(line) });
  const url = await gatewayToFailing(new Error("secret detail"), { log });
  const entry = ["Patient/1", "Patient/2", "Nobody/1"].map((path) => ({
    request: { method: "GET", url: path },
  }));
  const { status, json } = await send(`${url}/fhir`, {
    method: "POST",
    headers: { "x-road-id": "call-1" },
    body: JSON.stringify({ resourceType: "Bundle", type: "batch", entry }),
  });
  const statuses = json.entry.map(({ response }: { response: { status: string } }) =>
    response.status.slice(0, 3),
  );
  expect([status, statuses]).toEqual([200, ["500", "500", "404"]]);
  const failed = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request failed");
  expect(failed).toMatchObject([{ level: 50, requestId: "call-1", route: "/fhir", status: 500, entries: 2 }]);
  expect(failed[0].causes).not.toHaveLength(0);
  expect(lines.join()).not.toContain("secret");
});

test("a client who hangs up in the middle of a body is no failure in the log", async () => {
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line) => lines.push(line) });
  const url = new URL(await gatewayToFailing(new Error("never asked"), { log }));
  const client = connect(Number(url.port), url.hostname);
  client.write(
    "POST /fhir/Patient HTTP/1.1\r\nhost: a\r\ncontent-type: application/fhir+json\r\ncontent-length: 50\r\n\r\n{",
  );
  await sleep(50);
  client.resetAndDestroy();
  await expect.poll(() => lines.filter((line) => line.includes("/fhir/Patient"))).toHaveLength(1);
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ level: 20, msg: "the client hung up" });
});

test("the log names routes, never what is in addresses and queries", async () => {
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line) => lines.push(line) });
  const url = await gatewayToFailing(new ConnectError("gone", Code.NotFound), { log });
  await send(`${url}/fhir/Patient/38001085718?_elements=name`);
  await send(`${url}/fhir/Patient?identifier=38001085718`, {
    headers: { authorization: "Bearer 38001085718" },
  });
  await send(`${url}/38001085718`);
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.join()).not.toContain("38001085718");
});

test("a gateway that stops answers what it has, then nobody", async () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const readPatient = async () => {
    started.resolve();
    await release.promise;
    throw new ConnectError("gone", Code.Unavailable);
  };
  const service = intercept(PatientService, { readPatient }, { interceptors: [], defaultLanguage: "en" });
  const gateway = await startGatewayTo(createInProcessTransport([service]));
  const url = `${gateway.url}/fhir/Patient/1`;
  const answer = send(url);
  await started.promise;
  const stopped = gateway.stop(60_000);
  release.resolve();
  expect((await answer).status).toBe(503);
  await stopped;
  await expect(send(url)).rejects.toThrow();
});
