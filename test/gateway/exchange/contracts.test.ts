import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerHeaders } from "../../callers.ts";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, type HttpAnswer, send, sendBytes } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService({ defaultLanguage: "et" });
});

afterAll(() => service.stop());

describe("a base path chooses the version of the contract", () => {
  test.each([
    ["/fhir", "MPI-072", "MPI-080"],
    ["/1.5.0/fhir", "MPI-072", "MPI-080"],
    ["/1.1.1/fhir", "MPI-021", "MPI-015"],
  ])("%s", async (basePath, notFound, repeated) => {
    const patients = `${service.url}${basePath}/Patient`;
    expect(codesOf(await send(`${patients}/99`))).toEqual([notFound]);
    expect(codesOf(await send(`${patients}?_id=1&_id=2`))).toEqual([repeated]);
  });

  test("and is the base of what leads back: Location, links, fullUrl", async () => {
    const patients = `${service.url}/1.1.1/fhir/Patient`;
    const created = await send(patients, { method: "POST", body: JSON.stringify(inventedPatient()) });
    expect(created.headers.get("location")).toBe(`${patients}/${created.json.id}/_history/1`);
    const { json } = await send(`${patients}?_id=${created.json.id}`);
    expect(json.entry[0].fullUrl).toBe(`${patients}/${created.json.id}`);
    expect(json.link[0].url).toMatch(new RegExp(`^${RegExp.escape(patients)}\\?`));
  });

  test("whatever x-mpi-version says", async () => {
    const headers = { "x-mpi-version": "1.1.1" };
    expect(codesOf(await send(`${service.url}/fhir/Patient/99`, { headers }))).toEqual(["MPI-072"]);
  });

  test("of the gateway's own refusals too", async () => {
    const body = "{";
    expect(codesOf(await send(`${service.url}/1.1.1/fhir/Patient`, { method: "POST", body }))).toEqual([
      "MPI-400",
    ]);
    expect(codesOf(await send(`${service.url}/1.5.0/fhir/Patient`, { method: "POST", body }))).toEqual([
      "MPI-096",
    ]);
    expect(codesOf(await send(`${service.url}/1.1.1/fhir/Patient/1`, { method: "DELETE" }))).toEqual([
      "MPI-400",
    ]);
    expect(codesOf(await send(`${service.url}/1.1.1/fhir?_format=json`, { method: "POST", body }))).toEqual([
      "MPI-400",
    ]);
  });
});

describe("Accept-Language chooses the language", () => {
  test.each([
    [undefined, /Ressurssi/, /JSON/],
    ["en", /There is no/, /well-formed/],
    ["de, en;q=0.5, et;q=0.3", /There is no/, /well-formed/],
    ["fr", /Ressurssi/, /JSON/],
  ])("%s", async (language, ofTheCore, ofTheGateway) => {
    const headers: Record<string, string> = language === undefined ? {} : { "accept-language": language };
    const textOf = ({ json }: HttpAnswer) => json.issue[0].details.text;
    const patients = `${service.url}/fhir/Patient`;
    expect(textOf(await send(`${patients}/99`, { headers }))).toMatch(ofTheCore);
    const malformed = await send(patients, { method: "POST", body: "{", headers });
    expect(textOf(malformed)).toMatch(ofTheGateway);
  });
});

describe("every answer", () => {
  test("bears the request's id, the caller's if it gave one", async () => {
    const url = `${service.url}/fhir/Patient/99`;
    const given = await send(url, { headers: { "x-road-id": "call-17" } });
    expect([given.headers.get("x-request-id"), given.headers.get("x-road-id")]).toEqual([
      "call-17",
      "call-17",
    ]);
    const noId = await send(url, { headers: { "x-road-id": "call 17", "x-request-id": "call-18" } });
    expect([noId.headers.get("x-request-id"), noId.headers.get("x-road-id")]).toEqual(["call-18", null]);
    const none = await send(url, { as: "nobody" });
    expect(none.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(none.headers.get("x-road-id")).toBeNull();
  });

  test("that is long is compressed for those who take that", async () => {
    const url = `${service.url}/fhir/metadata`;
    const plain = await send(url, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    for (const [accepted, encoding] of [
      ["gzip", "gzip"],
      ["br, *;q=0.1", "gzip"],
      ["gzip;q=0, *", null],
    ] as const) {
      const answer = await send(url, { headers: { "accept-encoding": accepted } });
      expect([answer.headers.get("content-encoding"), answer.text]).toEqual([encoding, plain.text]);
    }
    const short = await send(`${service.url}/fhir/Patient/99`, { headers: { "accept-encoding": "gzip" } });
    expect(short.headers.get("content-encoding")).toBeNull();
  });

  test("is for its reader alone, and says nothing of the server", async () => {
    const { headers } = await send(`${service.url}/fhir/Patient/1`);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("server")).toBeNull();
    expect(headers.get("x-powered-by")).toBeNull();
  });

  test("to a method that is not offered names those that are", async () => {
    const patient = await send(`${service.url}/fhir/Patient/1`, { method: "DELETE" });
    expect([patient.status, patient.headers.get("allow")]).toEqual([405, "GET, HEAD, PUT, PATCH"]);
    const search = await send(`${service.url}/fhir/Patient/_search`);
    expect([search.status, search.headers.get("allow")]).toEqual([405, "POST"]);
    const health = await send(`${service.url}/health/live`, { method: "POST" });
    expect([health.status, health.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test.each([
    ["with a body", { "content-type": "application/fhir+json" }, "{}"],
    ["with nothing", {}, undefined],
  ])("to QUERY, which is not offered, %s is no fault of the service", async (_what, headers, body) => {
    const query = (path: string) =>
      send(`${service.url}${path}`, { method: "QUERY", headers, ...(body !== undefined && { body }) });
    const search = await query("/fhir/Patient");
    expect([search.status, search.headers.get("allow")]).toEqual([405, "PUT, POST, GET, HEAD"]);
    expect((await query("/health/live")).status).toBe(405);
    expect((await query("/nowhere")).status).toBe(404);
  });
});

test("a target in absolute form, as proxies send it, is understood", async () => {
  const target = "http://mpi.example.ee/fhir/Patient/99";
  const caller = headerLines(await callerHeaders(service.url));
  const head = `GET ${target} HTTP/1.1\r\nHost: mpi.example.ee\r\n${caller}Connection: close\r\n\r\n`;
  const { status, json } = await sendBytes(service.url, head);
  expect([status, json]).toMatchObject([404, { issue: [{ details: { coding: [{ code: "MPI-072" }] } }] }]);
});

test("an operation that is not offered is an unknown route, not a patient", async () => {
  const answer = await send(`${service.url}/fhir/Patient/$nothing`);
  expect([answer.status, codesOf(answer)]).toEqual([404, ["MPI-400"]]);
});

test("a request that expects something else is answered all the same", async () => {
  const head = "GET /fhir/metadata HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n";
  expect((await sendBytes(service.url, head)).status).toBe(200);
});

test("a request of HTTP/1.1 without a Host is refused, and its connection closed; of HTTP/1.0 it is to localhost", async () => {
  const { status, json } = await sendBytes(service.url, "GET /fhir/metadata HTTP/1.1\r\n\r\n");
  expect([status, json]).toMatchObject([
    400,
    { issue: [{ details: { coding: [{ code: "MPI-096" }] }, expression: ["http.host"] }] },
  ]);
  const older = await sendBytes(service.url, "GET /fhir/metadata HTTP/1.0\r\n\r\n");
  const { port } = new URL(service.url);
  expect(older).toMatchObject({
    status: 200,
    json: { implementation: { url: `http://localhost:${port}/fhir` } },
  });
});

test.each([
  ["of characters that none has", "Host: mpi.example.ee/fhir\r\n"],
  ["that is empty", "Host:\r\n"],
  ["with a user", "Host: root@mpi.example.ee\r\n"],
  ["with two ports", "Host: mpi.example.ee:80:81\r\n"],
  ["with a port that is no number", "Host: mpi.example.ee:http\r\n"],
  ["in several lines", "Host: mpi.example.ee\r\nhost: other.example.ee\r\n"],
  ["in several lines of one text", "Host: mpi.example.ee\r\nHost: mpi.example.ee\r\n"],
])("a request of HTTP/1.1 with a Host %s is refused, and its connection closed", async (_what, host) => {
  const { status, json } = await sendBytes(service.url, `GET /fhir/metadata HTTP/1.1\r\n${host}\r\n`);
  expect([status, json]).toMatchObject([
    400,
    { issue: [{ details: { coding: [{ code: "MPI-096" }] }, expression: ["http.host"] }] },
  ]);
});

test.each(["mpi.example.ee", "mpi_core-1:8080", "10.0.0.7:80", "[::1]:8080", "[::ffff:10.0.0.7]", "mpi:"])(
  "a request with the Host %s is answered",
  async (host) => {
    const head = `GET /fhir/metadata HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect((await sendBytes(service.url, head)).status).toBe(200);
  },
);

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}
