import { afterAll, beforeAll, expect, test } from "vitest";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { callerHeaders, doctor } from "../callers.ts";
import { sendBytes } from "../gateway/http-client.ts";
import { type RunningService, startService } from "../service.ts";

let service: RunningService;
let own: Record<string, string>;

beforeAll(async () => {
  service = await startService();
  own = await callerHeaders(service.url, doctor);
});

afterAll(() => service.stop());

const another = "Bearer of.no.use";

/** The headers of a doctor, with these lines for his token. */
function withTokens(...tokens: readonly string[]): [name: string, value: string][] {
  const { authorization: _, ...others } = own;
  return [...Object.entries(others), ...tokens.map((token): [string, string] => ["authorization", token])];
}

function overHttp(path: string, headers: readonly [string, string][], body = "") {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const method = body === "" ? "GET" : "POST";
  const head = `${method} ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${body.length}\r\n`;
  return sendBytes(service.url, `${head}${lines}\r\n${body}`);
}

test("of two tokens in a request none is taken, whichever comes first and whatever the other is", async () => {
  const good = own["authorization"] ?? "";
  for (const tokens of [
    [good, another],
    [another, good],
    [good, good],
    ["Basic YTpi", good],
  ]) {
    const { status, json } = await overHttp("/fhir/Patient/1", withTokens(...tokens));
    expect([status, json]).toEqual([
      401,
      expect.objectContaining({
        issue: [
          expect.objectContaining({
            code: "security",
            details: expect.objectContaining({ coding: [expect.objectContaining({ code: "MPI-400" })] }),
            diagnostics: "The request has several headers 'authorization'.",
            expression: ["http.authorization"],
          }),
        ],
      }),
    ]);
  }
  expect((await overHttp("/fhir/Patient/1", withTokens(good))).status).toBe(404);
});

test("so it is by Connect", async () => {
  const headers = withTokens(own["authorization"] ?? "", another);
  const path = `/${PatientService.typeName}/ReadPatient`;
  const asked: [string, string][] = [...headers, ["content-type", "application/json"]];
  const { status, json } = await overHttp(path, asked, '{"id":"1"}');
  expect([status, json]).toEqual([401, expect.objectContaining({ code: "unauthenticated" })]);
});
