import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GrpcServer, startGrpcServer } from "../../../src/grpc/server.ts";
import { echoSpec } from "../echo-service.ts";

/** Longer than a slow machine stands still. */
const STALL_MS = 2_000;
const LARGE = "x".repeat(200_000);

let core: GrpcServer;
let session: ClientHttp2Session;
let waiting = Promise.withResolvers<void>();
let ended = Promise.withResolvers<void>();

beforeAll(async () => {
  const services = [
    echoSpec({
      say: () => ({ value: LARGE }),
      async *repeat() {
        try {
          yield { value: "first" };
          await waiting.promise;
          for (let n = 0; n < 100; n++) yield { value: LARGE };
        } finally {
          ended.resolve();
        }
      },
    }),
  ];
  const log = pino({ level: "silent" });
  core = await startGrpcServer({ host: "127.0.0.1", port: 0, services, log, stallMs: STALL_MS });
  // A window of one byte: what the client does not ask for stays with the server.
  session = connect(`http://127.0.0.1:${core.port}`, { settings: { initialWindowSize: 1 } });
});

afterAll(async () => {
  session.destroy();
  await core.stop(0);
});

function call(method: string): ClientHttp2Stream {
  const headers = { ":method": "POST", ":path": `/test.EchoService/${method}`, te: "trailers" };
  const stream = session.request({ ...headers, "content-type": "application/grpc" });
  stream.on("error", () => undefined);
  stream.end(Buffer.alloc(5));
  return stream.pause();
}

it.each(["Say", "Repeat"])("a client that takes no byte of its answer is cut off (%s)", async (method) => {
  waiting.resolve();
  const stream = call(method);
  await once(stream, "close");
  expect(stream.rstCode).not.toBe(0);
});

it.each([
  ["pings", () => session.ping(() => undefined)],
  ["calls of its connection that end", () => call("Nothing").resume()],
])("it is cut off though the connection is in use (%s)", async (_use, use) => {
  waiting.resolve();
  ended = Promise.withResolvers();
  const busy = setInterval(use, STALL_MS / 10);
  const stream = call("Repeat");
  await once(stream, "close").finally(() => clearInterval(busy));
  expect(stream.rstCode).not.toBe(0);
  await ended.promise;
});

it("one that waits for us is not, nor one that is slow", async () => {
  session.settings({ initialWindowSize: 65_535 });
  waiting = Promise.withResolvers();
  const stream = call("Repeat");
  await sleep(2 * STALL_MS);
  expect(stream.closed).toBe(false);
  waiting.resolve();
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes < 1_000_000) await sleep(STALL_MS / 40);
    if (bytes > 2_000_000) break;
  }
  expect(bytes).toBeGreaterThan(2_000_000);
});
