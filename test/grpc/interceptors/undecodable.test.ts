import type { MessageInitShape } from "@bufbuild/protobuf";
import type { BytesValueSchema, StringValue } from "@bufbuild/protobuf/wkt";
import { type Client, Code, createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { createRemoteTransport, type RemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import type { GrpcServer } from "../../../src/grpc/server.ts";
import { startCore } from "../../gateway/transport/ways.ts";
import { BytesEchoService, type Echo, echoSpec } from "../echo-service.ts";
import { rejectionOf } from "../refusals.ts";

type Bytes = MessageInitShape<typeof BytesValueSchema>;

const WORD: Bytes = { value: Buffer.from("word") };
/** A letter of Latin 1, which no text of protobuf can hold. */
const NO_TEXT: Bytes = { value: Uint8Array.of(0xe4) };

let heard: string[] = [];
let lines: Record<string, unknown>[] = [];
let core: GrpcServer;
let transport: RemoteTransport;
let client: Client<typeof BytesEchoService>;

beforeEach(async () => {
  heard = [];
  lines = [];
  const log = pino({ level: "debug" }, { write: (line) => lines.push(JSON.parse(line)) });
  core = await startCore([echoSpec(listening, log)]);
  transport = createRemoteTransport({ target: `127.0.0.1:${core.port}` });
  client = createClient(BytesEchoService, transport);
});
afterEach(async () => {
  transport.close();
  await core.stop(0);
});

const listening: Echo = {
  say: hear,
  async *repeat(text) {
    yield hear(text);
  },
  async join(texts) {
    for await (const text of texts) hear(text);
    return {};
  },
  async *talk(texts) {
    for await (const text of texts) yield hear(text);
  },
};

function hear({ value }: StringValue) {
  heard.push(value);
  return { value };
}

it.for<[string, (messages: readonly Bytes[]) => Promise<unknown>, string[]]>([
  ["a call", () => client.say(NO_TEXT), []],
  ["a call that is answered by a stream", () => Array.fromAsync(client.repeat(NO_TEXT)), []],
  ["a stream that is answered at its end", (messages) => client.join(sent(messages)), ["word"]],
  [
    "a stream that is answered as it comes",
    (messages) => Array.fromAsync(client.talk(sent(messages))),
    ["word"],
  ],
])("bytes that are no message refuse %s, as any other fault does", async ([, call, understood]) => {
  const refusal = await rejectionOf(call([WORD, NO_TEXT, WORD]));
  expect(refusal.code).toBe(Code.InvalidArgument);
  expect(refusal.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "MESSAGE_UNDECODABLE" }]);
  expect(refusal.findDetails(ErrorDetailsSchema)[0]?.issues).toMatchObject([
    { code: "MPI-096", text: expect.stringContaining("google.protobuf.StringValue") },
  ]);
  expect(heard).toEqual(understood);
  expect(lines).toMatchObject([{ level: 30, status: "INVALID_ARGUMENT", reason: "MESSAGE_UNDECODABLE" }]);
});

async function* sent(messages: readonly Bytes[]) {
  yield* messages;
}
