import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { GatewayOptions } from "../../../gateway/server.ts";
import people from "../../../src/sandbox/people.json" with { type: "json" };
import { callerHeaders } from "../../callers.ts";
import { hasOpenssl, selfSigned } from "../../certificates.ts";
import { sandboxControl } from "../../registers/sandbox-control.ts";
import { type RunningService, startService } from "../../service.ts";
import { type HttpAnswer, send, sendBytes } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";
import { type StartedGateway, startGatewayApart } from "../started-gateway.ts";

const RR = "https://rahvastikuregister.ee";
const headers = { "x-road-issue": "visit" };

/** What everybody who is turned away is told. */
function expectTurnedAway({ status, headers: answered, json }: HttpAnswer): void {
  expect(status).toBe(429);
  expect(Number(answered.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(json).toMatchObject({
    resourceType: "OperationOutcome",
    issue: [{ severity: "error", code: "throttled", details: { coding: [{ code: "MPI-400" }] } }],
  });
}

/** Asks the population register for one of the people of the sandbox. */
function lookUpPerson({ url }: RunningService, n: number): Promise<HttpAnswer> {
  const code = people.people[n]?.personalCode;
  return send(`${url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}`, { headers });
}

/** Posts so many bytes over the agent's connection; answers with the status, and with the port that they came from. */
function post(
  url: string,
  agent: Agent,
  bytes: number,
  isTold = true,
): Promise<{ status?: number; from?: number }> {
  return new Promise((resolve, reject) => {
    const length = isTold ? { "content-length": bytes } : { "transfer-encoding": "chunked" };
    const headers = { "content-type": "application/fhir+json", ...length };
    const posting = request(`${url}/fhir/Patient`, { method: "POST", agent, headers }, (response) => {
      const { statusCode: status = 0, socket } = response;
      const { localPort: from = 0 } = socket;
      response.resume().once("end", () => resolve({ status, from }));
    });
    posting.once("error", reject);
    posting.end(Buffer.alloc(bytes, " "));
  });
}

describe("a process that works on all the requests that it takes", () => {
  let service: RunningService;
  let control: ReturnType<typeof sandboxControl>;

  beforeAll(async () => {
    service = await startService({ maxInFlight: 5, registerTimeout: 60_000 });
    control = sandboxControl(service.sandboxUrl);
  });
  afterEach(async () => {
    await control.heal();
  });
  afterAll(async () => {
    await service.stop();
  });

  it("turns others away at once, serves those it has, then everybody again", async () => {
    const lookUp = (n: number) => lookUpPerson(service, n);
    // From now on the caller is known, and no call of the register is about them.
    expect((await lookUp(0)).status).toBe(200);
    await control.forgetCalls();
    await control.fail({ register: "rr", delayMs: 60_000 });
    let served = 0;
    const slow = [1, 2, 3, 4, 5].map((n) => lookUp(n).finally(() => served++));
    await expect.poll(() => control.count("rr/person")).toBe(5);
    const others = await Promise.all([6, 7, 8].map(lookUp));
    expect(served).toBe(0);
    for (const one of others) expectTurnedAway(one);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await post(service.url, agent, 1000);
    const second = await post(service.url, agent, 1000);
    // Only a body that would take long to come costs its connection.
    const large = await post(service.url, agent, 100_000);
    const afterLarge = await post(service.url, agent, 1000);
    const unknown = await post(service.url, agent, 1000, false);
    const afterUnknown = await post(service.url, agent, 1000);
    agent.destroy();
    const all = [first, second, large, afterLarge, unknown, afterUnknown];
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 429));
    expect(second.from).toBe(first.from);
    expect(large.from).toBe(first.from);
    expect(afterLarge.from).not.toBe(first.from);
    expect(unknown.from).toBe(afterLarge.from);
    expect(afterUnknown.from).not.toBe(afterLarge.from);
    // Each in its own language and form, however many were told before.
    const inEnglish = { ...headers, "accept-language": "en" };
    for (const [query, asked, told] of [
      ["", { ...headers, "accept-language": "et" }, /^\{"resourceType".*päring/i],
      ["", inEnglish, /^\{"resourceType".*requests/],
      ["?_pretty=true", inEnglish, /^\{\n/],
      ["?_format=xml", inEnglish, /^<\?xml|^<OperationOutcome/],
    ] as const) {
      const answer = await send(`${service.url}/fhir/Patient/1${query}`, { headers: asked });
      expect([query, answer.status, answer.text]).toEqual([query, 429, expect.stringMatching(told)]);
    }
    for (const path of ["/health/live", "/health/live/", "/health/live?from=balancer"]) {
      expect([path, (await send(`${service.url}${path}`)).status]).toEqual([path, 200]);
    }
    await control.heal();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await lookUp(6)).status).toBe(200);
  });
});

describe("a process that works on few requests at once", () => {
  /** Four requests for each connection to the database. */
  const AT_ONCE = 4;
  let service: RunningService;
  let control: ReturnType<typeof sandboxControl>;

  beforeAll(async () => {
    service = await startService({ databasePool: 1, registerTimeout: 60_000 });
    control = sandboxControl(service.sandboxUrl);
  });
  afterAll(async () => {
    await control.heal();
    await service.stop();
  });

  it("serves all that it takes, in turn, and has nobody wait for those who wait for a register", async () => {
    const url = `${service.url}/fhir/Patient?_count=1&active=true`;
    const answers = await Promise.all(Array.from({ length: 20 * AT_ONCE }, () => send(url)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const lookUp = (n: number) => lookUpPerson(service, n);
    // From now on the caller is known, and no call of the register is about them.
    expect((await lookUp(0)).status).toBe(200);
    await control.forgetCalls();
    await control.fail({ register: "rr", delayMs: 60_000 });
    let served = 0;
    const slow = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => lookUp(n).finally(() => served++));
    await expect.poll(() => control.count("rr/person")).toBe(2 * AT_ONCE);
    expect((await send(url)).status).toBe(200);
    expect(served).toBe(0);
    await control.heal();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 200));
  });
});

describe("a caller", () => {
  /** Twenty requests take less than ten seconds. */
  const RATE = 2;
  let service: RunningService;

  beforeAll(async () => {
    service = await startService({ callerRate: RATE });
  });
  afterAll(async () => {
    await service.stop();
  });

  it("who sends more a second than is taken of one is told when to come back, and is served then", async () => {
    const url = `${service.url}/fhir/Patient?_count=1&active=true`;
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(url)));
    const seconds = Math.ceil((performance.now() - startedAt) / 1000);
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).toBeGreaterThanOrEqual(RATE);
    expect(served.length).toBeLessThanOrEqual(RATE * (1 + seconds));
    const turnedAway = answers.filter(({ status }) => status !== 200);
    for (const one of turnedAway) expectTurnedAway(one);
    const wait = Number(turnedAway[0]?.headers.get("retry-after"));
    await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
    expect((await send(url)).status).toBe(200);
  });
});

describe("a client that is slow", () => {
  let service: RunningService;
  let gateway: StartedGateway | undefined;

  beforeAll(async () => {
    service = await startService();
  });
  afterEach(async () => {
    await gateway?.stop(0);
  });
  afterAll(async () => {
    await service.stop();
  });

  async function startPatient(
    patience: Pick<GatewayOptions, "arrivalMs" | "stallMs" | "maxInFlight" | "tls">,
  ): Promise<number> {
    gateway = await startGatewayApart(`127.0.0.1:${service.grpcPort}`, patience);
    return gateway.port;
  }

  it.for([
    ["its headers", "GET /fhir/Patient/1 HTTP/1.1\r\nhost: mpi\r\nx-road-id: "],
    ["its body", "POST /fhir/Patient HTTP/1.1\r\nhost: mpi\r\ncontent-length: 100\r\n\r\n{"],
  ] as const)("with %s is answered 408, and hung up on", async ([, bytes]) => {
    const port = await startPatient({ arrivalMs: 600 });
    const { status, json } = await sendBytes(`http://127.0.0.1:${port}`, bytes);
    expect(status).toBe(408);
    expect(json).toMatchObject({ resourceType: "OperationOutcome", issue: [{ code: "timeout" }] });
  });

  it.for([
    ["comes too late", 408, "content-length: 100\r\n\r\n{"],
    ["is no chunk", 400, "transfer-encoding: chunked\r\n\r\nno chunk\r\n"],
  ] as const)("whose body %s is told in its language and form", async ([, status, rest]) => {
    const url = `http://127.0.0.1:${await startPatient({ arrivalMs: 600 })}`;
    const asking = "accept-language: en\r\naccept: application/fhir+xml\r\n";
    const answer = await sendBytes(url, `POST /fhir/Patient HTTP/1.1\r\nhost: mpi\r\n${asking}${rest}`);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain('<text value="General error of the FHIR server."/>');
  });

  it.runIf(hasOpenssl)("to shake hands for TLS is hung up on", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mpi-tls-"));
    const tls = await selfSigned(folder, "localhost");
    const port = await startPatient({ arrivalMs: 600, tls });
    const socket = connect({ host: "127.0.0.1", port }).resume();
    const begun = performance.now();
    await Promise.race([once(socket, "close"), sleep(20_000)]);
    expect(performance.now() - begun).toBeLessThan(10_000);
    socket.destroy();
    await rm(folder, { recursive: true });
  });

  it("with its body makes room for others when there is none: the slowest is answered 408", async () => {
    const url = `http://127.0.0.1:${await startPatient({ maxInFlight: 2 })}`;
    const bytes = "POST /fhir/Patient HTTP/1.1\r\nhost: mpi\r\ncontent-length: 100\r\n\r\n{";
    const slow = [sendBytes(url, bytes), sendBytes(url, bytes)];
    const status = async () => (await send(`${url}/fhir/metadata`)).status;
    await expect.poll(status).toBe(429);
    // Without room being made it is after the 30 seconds that a body may take.
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
    const refused = await Promise.race(slow);
    expect(refused).toMatchObject({ status: 408, json: { issue: [{ code: "timeout" }] } });
  });

  it("to take its answer makes room for others when there is none", async () => {
    const port = await startPatient({ maxInFlight: 2 });
    const sockets = [1, 2].map(() => connect({ host: "127.0.0.1", port }));
    for (const socket of sockets) socket.pause().on("error", () => undefined);
    // More answers than the buffers of the operating system hold, a few at a time: others are refused, and
    // after ten refusals in a tenth of a second the connections were not read for a while.
    const ask = () => {
      for (const socket of sockets) socket.write("GET /openapi.json HTTP/1.1\r\nhost: mpi\r\n\r\n");
    };
    const asking = setInterval(ask, 50);
    const status = async () => (await send(`http://127.0.0.1:${port}/fhir/metadata`)).status;
    const statuses = async () => {
      const told = new Set<number>();
      for (let n = 0; n < 10; n++) told.add(await sleep(50).then(status));
      return [...told];
    };
    await expect.poll(statuses).toEqual([429]);
    clearInterval(asking);
    // Without room being made it is after the 30 seconds that nothing of an answer may be taken.
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it("and does not hang up when told to keeps nobody from being served, and has nothing done", async () => {
    const port = await startPatient({ maxInFlight: 1, arrivalMs: 600 });
    const identifier = { system: "https://fhir.ee/sid/pid/fin/ppn", value: `T${Date.now()}` };
    const body = JSON.stringify(inventedPatient({ identifier: [identifier] }));
    const head = {
      ...(await callerHeaders(service.url)),
      host: "mpi",
      "content-type": "application/fhir+json",
      "content-length": Buffer.byteLength(body),
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
    const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    const answered = new Promise((resolve) => socket.once("end", resolve));
    socket.resume().write(`POST /fhir/Patient HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body.slice(0, 9)}`);
    await answered;
    socket.on("error", () => undefined).write(body.slice(9));
    const url = `http://127.0.0.1:${port}/fhir/metadata`;
    await expect.poll(async () => (await send(url)).status).toBe(200);
    const search = `Patient?identifier=${identifier.system}|${identifier.value}`;
    expect((await send(`${service.url}/fhir/${search}`)).json).toMatchObject({ total: 0 });
    socket.destroy();
  });

  it("to take its answers is hung up on", async () => {
    const port = await startPatient({ stallMs: 500 });
    const socket = connect({ host: "127.0.0.1", port });
    socket.pause();
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const request = (connection: string) =>
      `GET /fhir/metadata HTTP/1.1\r\nhost: mpi\r\nconnection: ${connection}\r\n\r\n`;
    // More answers than the buffers of the operating system hold.
    socket.write(`${request("keep-alive").repeat(2_000)}${request("close")}`);
    // Who reads nothing learns of the end of a connection when it writes.
    const asking = setInterval(() => socket.write(request("close")), 100);
    await closed;
    clearInterval(asking);
  });
});
