import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { GrpcServer } from "../../../src/grpc/server.ts";
import { startCore } from "../../gateway/transport/ways.ts";
import { echoSpec } from "../echo-service.ts";
import { fourHundredIssues } from "../refusals.ts";

let core: GrpcServer;
beforeAll(async () => {
  core = await startCore([echoSpec({ say: () => Promise.reject(fourHundredIssues()) })]);
});
afterAll(() => core.stop(0));

test("the trailers of a refusal with hundreds of issues stay below what clients bear", async () => {
  const { metadata, details } = await statusOfCall();
  const [status] = metadata.get("grpc-status-details-bin") as Buffer[];
  expect(status?.length).toBeGreaterThan(2_000);
  expect(status?.length).toBeLessThan(5_500);
  const names = Object.entries(metadata.toHttp2Headers());
  const trailerBytes = names.reduce((sum, [name, value]) => sum + name.length + String(value).length + 32, 0);
  // C-core based clients (Python, C++, Ruby, PHP) fail a call above 8 KiB.
  expect(trailerBytes + encodeURI(details).length + 100).toBeLessThan(8_192);
});

function statusOfCall(): Promise<ServiceError> {
  const client = new Client(`127.0.0.1:${core.port}`, credentials.createInsecure());
  const bytes = (value: Buffer) => value;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest("/test.EchoService/Say", bytes, bytes, Buffer.alloc(0), (error) => {
      client.close();
      if (error) resolve(error);
      else reject(new Error("the call was not refused"));
    });
  });
}
