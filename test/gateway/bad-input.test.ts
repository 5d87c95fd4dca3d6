import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../service.ts";
import { bodies, exchanges, parameters } from "./bad-inputs.ts";
import { send, sendBytes } from "./http-client.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

describe.each(Object.entries({ bodies, exchanges, parameters }))("of %s", (_kind, inputs) => {
  test.each(inputs)("$what is answered with $status $code", async ({ path, ...input }) => {
    const { status, code, expression, what: _what, ...request } = input;
    const answer = await send(`${service.url}${path}`, request);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/fhir+json; charset=utf-8");
    expect(answer.json.resourceType).toBe("OperationOutcome");
    const issues: Issue[] = answer.json.issue;
    expect(issues.map(codeOf)).toEqual(issues.map(() => code));
    expect(issues.flatMap((issue) => issue.expression ?? [])).toEqual(expression);
    expect(issues.every((issue) => issue.severity === "error" && issue.details.text !== "")).toBe(true);
  });
});

describe("of bytes", () => {
  test.each([
    ["that are no HTTP", "HELLO\r\n\r\n", 400],
    ["with headers too large", `GET /fhir/metadata HTTP/1.1\r\nx: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ])("%s are answered with an OperationOutcome", async (_what, bytes, status) => {
    const answer = await sendBytes(service.url, bytes);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({
      resourceType: "OperationOutcome",
      issue: [{ severity: "error", details: { coding: [{ code: "MPI-400" }] } }],
    });
  });
});

test("nothing of all this leaves a trace", async () => {
  const { json } = await send(`${service.url}/fhir/Patient/_history`);
  expect(json.total).toBe(0);
});

interface Issue {
  readonly severity: string;
  readonly details: { readonly text: string; readonly coding: readonly { readonly code: string }[] };
  readonly expression?: readonly string[];
}

function codeOf(issue: Issue): string | undefined {
  return issue.details.coding[0]?.code;
}
