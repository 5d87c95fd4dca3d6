import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../service.ts";
import { send, sendBytes } from "../http-client.ts";
import { bodies, exchanges, parameters } from "./bad-inputs.ts";

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

test.each([
  [
    "Patient/_history?colour=red&_count=-1&_since=yesterday&_sort=name",
    ["MPI-015 http.colour", "MPI-037 http._sort", "MPI-096 http._count", "MPI-096 http._since"],
  ],
  ["RelatedPerson/1/_history?_count=ten&_sort=name", ["MPI-037 http._sort", "MPI-096 http._count"]],
  ["Patient/1?_elements=name&_summary=true,false", ["MPI-015 http._summary", "MPI-075 http._summary"]],
  ["Patient/1?colour=red&_summary=some", ["MPI-015 http._summary", "MPI-015 http.colour"]],
  ["Patient/1?colour=red&_pretty=very", ["MPI-015 http.colour", "MPI-096 http._pretty"]],
  ["Patient?_id=%E0%A4%A&active=true&identifier=%00", ["MPI-096 http._id", "MPI-096 http.identifier"]],
  ["StructureDefinition?_count=ten&_page=0", ["MPI-015 http._count", "MPI-015 http._page"]],
  ["Patient?_id=1&_total=some&_summary=true,false", ["MPI-015 http._total", "MPI-075 http._summary"]],
  [
    "Patient?_id=1&_elements=colour&_count=ten&_sort=name",
    ["MPI-015 http._count", "MPI-015 http._elements", "MPI-037 http._sort"],
  ],
  ["RelatedPerson?patient=1&_elements=colour&_count=ten", ["MPI-015 http._count", "MPI-015 http._elements"]],
])("everything that is wrong with the parameters of %s is said at once", async (path, expected) => {
  const { status, json } = await send(`${service.url}/fhir/${path}`);
  expect(status).toBe(400);
  const issues: Issue[] = json.issue;
  const said = issues.map((issue) => `${codeOf(issue)} ${issue.expression?.join(" ")}`);
  expect(said.toSorted()).toEqual(expected);
});

test.each([
  ["Patient/%00", {}],
  ["Patient?_id=1&_sort=%01", {}],
  ["Patient?_id=1&%01=x", {}],
  ["Patient/%1F/_history", {}],
  ["Patient", { method: "POST", body: '{"resourceType": "Patient", "\\u0001": 1, "\\ud800": 1}' }],
] as const)("what %s is refused with shows characters that FHIR forbids as U+FFFD", async (path, request) => {
  const { status, json } = await send(`${service.url}/fhir/${path}`, request);
  expect(status).toBeGreaterThanOrEqual(400);
  for (const { details, diagnostics = "", expression = [] } of json.issue) {
    for (const text of [details.text, diagnostics, ...expression]) expect(forbiddenIn(text)).toEqual([]);
  }
  expect(JSON.stringify(json.issue)).toContain("\ufffd");
});

describe("of bytes", () => {
  test.each([
    ["that are no HTTP", "HELLO\r\n\r\n", 400],
    ["that ask for a tunnel", "CONNECT mpi.example.ee:443 HTTP/1.1\r\nhost: mpi.example.ee:443\r\n\r\n", 404],
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

/** R5: no string holds a character below U+0020 but tab, line feed and carriage return, nor half a surrogate pair. */
function forbiddenIn(text: string): string[] {
  return [...text].filter((one) => (one < " " && !"\t\n\r".includes(one)) || !one.isWellFormed());
}

function codeOf(issue: Issue): string | undefined {
  return issue.details.coding[0]?.code;
}
