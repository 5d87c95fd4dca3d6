import { connect } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GrpcServer, startGrpcServer } from "../../../src/grpc/server.ts";
import { echoSpec } from "../echo-service.ts";

let core: GrpcServer;

beforeAll(async () => {
  const say = (_request: unknown, { requestHeader }: { readonly requestHeader: Headers }) => ({
    value: `[${requestHeader.get("authorization")}]`,
  });
  const log = pino({ level: "silent" });
  core = await startGrpcServer({ host: "127.0.0.1", port: 0, services: [echoSpec({ say })], log });
});

afterAll(() => core.stop(0));

test("a call shows every token that it was sent with, not the first alone", async () => {
  expect(await answerTo(["Bearer one", "Bearer two"])).toContain("[Bearer one, Bearer two]");
  expect(await answerTo(["Bearer one"])).toContain("[Bearer one]");
  expect(await answerTo([])).toContain("[null]");
});

/** The bytes of the answer to a call with these tokens, written by hand: clients take care that nobody sends two. */
function answerTo(tokens: readonly string[]): Promise<string> {
  const headers: [string, string][] = [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", "/test.EchoService/Say"],
    [":authority", "core"],
    ["content-type", "application/grpc"],
    ["te", "trailers"],
    ...tokens.map((token): [string, string] => ["authorization", token]),
  ];
  const block = headers.flatMap(([name, value]) => [Buffer.of(0), literal(name), literal(value)]);
  const socket = connect(core.port, "127.0.0.1");
  socket.write(
    Buffer.concat([
      Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
      frame(SETTINGS, 0, 0, Buffer.alloc(0)),
      frame(HEADERS, END_HEADERS, 1, Buffer.concat(block)),
      frame(DATA, END_STREAM, 1, Buffer.alloc(5)),
    ]),
  );
  return new Promise((resolve, reject) => {
    let received = "";
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      if (received.includes("]")) socket.end(() => resolve(received));
    });
  });
}

const [DATA, HEADERS, SETTINGS] = [0, 1, 4] as const;
const [END_STREAM, END_HEADERS] = [1, 4] as const;

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A short string of HPACK (RFC 7541, 5.2). */
function literal(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
}
