import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GrpcServer, startGrpcServer } from "../../../src/grpc/server.ts";
import { echoSpec } from "../echo-service.ts";

const ARRIVAL_MS = 2_000;

let core: GrpcServer;
let session: ClientHttp2Session;

beforeAll(async () => {
  const services = [
    echoSpec({
      async say({ value }) {
        await sleep(2 * ARRIVAL_MS);
        return { value };
      },
      async join(requests) {
        let last = "";
        for await (const { value } of requests) last = value;
        return { value: last };
      },
      async *talk(requests) {
        for await (const { value } of requests) yield { value };
      },
    }),
  ];
  const log = pino({ level: "silent" });
  core = await startGrpcServer({ host: "127.0.0.1", port: 0, services, log, arrivalMs: ARRIVAL_MS });
  session = connect(`http://127.0.0.1:${core.port}`);
});

afterAll(async () => {
  session.destroy();
  await core.stop(0);
});

function call(path: string): ClientHttp2Stream {
  const headers = { ":method": "POST", ":path": path, te: "trailers", "content-type": "application/grpc" };
  const stream = session.request(headers);
  stream.on("error", () => undefined);
  return stream.resume();
}

it.concurrent.each([
  ["no message", Buffer.alloc(0)],
  ["a part of its message", Buffer.from([0, 0, 0, 0, 9, 10])],
  ["its message and no end", Buffer.alloc(5)],
])("a call with %s is ended", async (_, bytes) => {
  const stream = call("/test.EchoService/Say");
  stream.write(bytes);
  await once(stream, "close");
  expect(stream.rstCode).not.toBe(0);
});

it.concurrent("so is one of health, which asks for no token", async () => {
  const stream = call("/grpc.health.v1.Health/Check");
  await once(stream, "close");
  expect(stream.rstCode).not.toBe(0);
});

it.concurrent("one whose request is there takes as long as it takes, and so does a stream of requests", async () => {
  const slow = call("/test.EchoService/Say");
  slow.end(Buffer.alloc(5));
  const late = call("/test.EchoService/Say");
  const waiting = [
    "/test.EchoService/Talk",
    "/test.EchoService/Join",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
  ].map((path) => call(path));
  await sleep(ARRIVAL_MS / 4);
  late.end(Buffer.alloc(5));
  await Promise.all([slow, late].map((stream) => once(stream, "close")));
  expect([slow.rstCode, late.rstCode]).toEqual([0, 0]);
  expect(waiting.map(({ closed }) => closed)).toEqual([false, false, false]);
  for (const stream of waiting) {
    stream.end(stream === waiting[2] ? Buffer.alloc(0) : Buffer.alloc(5));
    await once(stream, "close");
    expect(stream.rstCode).toBe(0);
  }
});

it("a call without a request is ended, however many were before it", async () => {
  const stream = call("/test.EchoService/Say");
  await once(stream, "close");
  expect(stream.rstCode).not.toBe(0);
});

it("a connection has a thousand calls open at most", async () => {
  if (session.connecting) await once(session, "remoteSettings");
  expect(session.remoteSettings.maxConcurrentStreams).toBe(1_000);
});
