import { createServer, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, createClient } from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";
import type { RemoteCore } from "../../../gateway/transport/remote/channels.ts";
import { createRemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import type { GrpcServer } from "../../../src/grpc/server.ts";
import { EchoService, echoSpec } from "../../grpc/echo-service.ts";
import { rejectionOf } from "../../grpc/refusals.ts";
import { type Link, linkTo } from "./link.ts";
import { startCore } from "./ways.ts";

const echo = echoSpec({ say: (request) => request });
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function coreOn(port = 0): Promise<GrpcServer> {
  const core = await startCore([echo], port);
  ends.push(() => core.stop(0));
  return core;
}

function clientOf(port: number, options: Partial<RemoteCore> = {}) {
  const transport = createRemoteTransport({ target: `127.0.0.1:${port}`, ...options });
  ends.push(() => transport.close());
  return createClient(EchoService, transport);
}

describe("without a core", () => {
  test("a call ends at once, and tells no address", async () => {
    const core = await coreOn();
    await core.stop(0);
    const startedAt = performance.now();
    const error = await rejectionOf(clientOf(core.port).say({}, { timeoutMs: 60_000 }));
    expect(error.code).toBe(Code.Unavailable);
    expect(error.message).not.toContain("127.0.0.1");
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  test("so does a stream", async () => {
    const core = await coreOn();
    await core.stop(0);
    const client = clientOf(core.port);
    for (let time = 1; time <= 3; time++) {
      const answers = client.repeat({}, { timeoutMs: 60_000 })[Symbol.asyncIterator]();
      expect((await rejectionOf(answers.next())).code).toBe(Code.Unavailable);
    }
  });

  test("the client finds the core again when it is back on its address", async () => {
    const core = await coreOn();
    const client = clientOf(core.port);
    expect((await client.say({ value: "before" })).value).toBe("before");
    await core.stop(0);
    expect((await rejectionOf(client.say({ value: "away" }))).code).toBe(Code.Unavailable);
    await coreOn(core.port);
    const answerOf = async () => (await client.say({ value: "after" })).value;
    await expect.poll(() => answerOf().catch(() => "away")).toBe("after");
  });

  test("a call that runs when the core dies ends as unavailable", async () => {
    const started = Promise.withResolvers<void>();
    const core = await startCore([
      echoSpec({
        say: async (_, { signal }) => {
          started.resolve();
          await sleep(600_000, undefined, { signal });
          return {};
        },
      }),
    ]);
    const link = await linkOf(core);
    const call = rejectionOf(clientOf(link.port).say({}));
    await started.promise;
    link.cut();
    expect((await call).code).toBe(Code.Unavailable);
    await core.stop(0);
  });

  test("a core that vanished without a word is noticed", async () => {
    const core = await coreOn();
    const link = await linkOf(core);
    const client = clientOf(link.port, { keepaliveMs: 2_000 });
    await client.say({});
    link.silence();
    const startedAt = performance.now();
    expect((await rejectionOf(client.say({}, { timeoutMs: 60_000 }))).code).toBe(Code.Unavailable);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });
});

describe("a server whose status cannot be read", () => {
  test.for<[string, OutgoingHttpHeaders]>([
    ["details that are cut off", { "grpc-status-details-bin": "/////w" }],
    ["details of nothing", { "grpc-status-details-bin": "AA" }],
    ["metadata in letters of no header", { "x-odd": "\u00e4\u0080" }],
  ])("fails the call, and it alone: %s", async ([, odd]) => {
    const port = await refusing({ "grpc-status": "2", "grpc-message": "odd", ...odd });
    const client = clientOf(port);
    for (let call = 0; call < 2; call++) {
      const error = await rejectionOf(client.say({}, { timeoutMs: 60_000 }));
      expect([error.code, error.rawMessage, error.details]).toEqual([Code.Unknown, "odd", []]);
    }
    const answers = client.repeat({}, { timeoutMs: 60_000 })[Symbol.asyncIterator]();
    expect((await rejectionOf(answers.next())).code).toBe(Code.Unknown);
  });
});

test.for<[string, OutgoingHttpHeaders]>([
  ["by no encoding that is named", {}],
  ["by one that nobody knows", { "grpc-encoding": "zstd" }],
])("an answer that is compressed %s fails its call alone", async ([, encoding]) => {
  const compressed = Buffer.from([1, 0, 0, 0, 2, 0x28, 0xb5]);
  const port = await answering((stream) => {
    stream.respond({ ...GRPC, ...encoding }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(compressed);
  });
  const client = clientOf(port);
  for (let call = 0; call < 2; call++) {
    const error = await rejectionOf(client.say({}, { timeoutMs: 60_000 }));
    expect([Code.Internal, Code.Unimplemented, Code.Unknown]).toContain(error.code);
  }
  const answers = client.repeat({}, { timeoutMs: 60_000 })[Symbol.asyncIterator]();
  await rejectionOf(answers.next());
});

test("an answer larger than is wanted is not read", async () => {
  const core = await coreOn();
  const client = clientOf(core.port, { mostAnswerBytes: 1_000 });
  expect((await client.say({ value: "x".repeat(900) })).value).toHaveLength(900);
  const error = await rejectionOf(client.say({ value: "x".repeat(1_100) }));
  expect(error.code).toBe(Code.ResourceExhausted);
});

describe("several channels", () => {
  test("are connections of their own", async () => {
    const core = await coreOn();
    const link = await linkOf(core);
    const client = clientOf(link.port, { channels: 3 });
    for (let call = 0; call < 6; call += 1) await client.say({});
    expect(link.connections()).toBe(3);
  });

  test("a single one holds one connection", async () => {
    const core = await coreOn();
    const link = await linkOf(core);
    const client = clientOf(link.port);
    await Promise.all(Array.from({ length: 6 }, () => client.say({})));
    expect(link.connections()).toBe(1);
  });
});

async function linkOf(core: GrpcServer): Promise<Link> {
  const link = await linkTo(core.port);
  ends.push(() => link.close());
  return link;
}

const GRPC: OutgoingHttpHeaders = { ":status": 200, "content-type": "application/grpc+proto" };

/** The port of a server that answers every call with these headers alone. */
function refusing(headers: OutgoingHttpHeaders): Promise<number> {
  return answering((stream) => stream.respond({ ...GRPC, ...headers }, { endStream: true }));
}

/** The port of a server of HTTP/2 that answers every call like this. */
async function answering(answer: (stream: ServerHttp2Stream) => void): Promise<number> {
  const server = createServer();
  const sessions = new Set<{ destroy(): void }>();
  server.on("session", (session) => sessions.add(session));
  server.on("stream", (stream: ServerHttp2Stream) => answer(stream.on("error", () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
