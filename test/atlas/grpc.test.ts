import { afterAll, beforeAll, expect, test } from "vitest";
import { createRemoteTransport, type RemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { expectRefusal, readersOf, understoodReader } from "./expect-refusal.ts";
import { expectationOf } from "./expectation.ts";
import { askGrpc } from "./grpc-answer.ts";
import { type IndexUnderTest, startIndex } from "./index-under-test.ts";
import { scenarios } from "./scenarios/index.ts";

const overGrpc = scenarios.filter(({ only }) => only !== "http");
const transports = new Map<number, RemoteTransport>();
let index: IndexUnderTest;

beforeAll(async () => {
  index = await startIndex();
});

afterAll(async () => {
  for (const transport of transports.values()) transport.close();
  await index.stop();
});

test.each(overGrpc)("$code $meaning $expression is refused over gRPC", async (scenario) => {
  const { grpc, after } = await scenario.prepare(index);
  if (grpc === undefined) throw new Error("The scenario has no gRPC call.");
  const before = await index.digest();
  for (const { version, language } of readersOf(scenario)) {
    const told = { "x-mpi-version": version, "accept-language": language };
    const port = grpc.port ?? index.grpcPort;
    const answer = await askGrpc(grpc, transportTo(port), `127.0.0.1:${port}`, told);
    const reader = understoodReader(scenario, { version, language });
    expectRefusal(answer, "grpc", scenario, reader);
    expect(answer.reason).toBe(scenario.meaning);
    const { placeholders } = expectationOf(scenario, reader.version, "grpc");
    const [issue] = answer.issues;
    for (const name of placeholders) {
      expect(issue?.parameters).toHaveProperty([name]);
      expect(issue?.text).toContain(issue?.parameters[name]);
    }
  }
  await after?.();
  expect(await index.digest()).toBe(before);
});

function transportTo(port: number): RemoteTransport {
  const known = transports.get(port) ?? createRemoteTransport({ target: `127.0.0.1:${port}` });
  transports.set(port, known);
  return known;
}
