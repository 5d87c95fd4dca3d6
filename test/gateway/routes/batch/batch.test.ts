import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../../service.ts";
import { codesIn, codesOf, type HttpAnswer, send } from "../../http-client.ts";
import { inventedPatient } from "../../invented-patient.ts";

let service: RunningService;
let base: string;

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
});

afterAll(() => service.stop());

interface Entry {
  readonly resource?: unknown;
  readonly request?: Readonly<Record<string, unknown>>;
}

function batch(entry: readonly Entry[], headers: Record<string, string> = {}): Promise<HttpAnswer> {
  const body = JSON.stringify({ resourceType: "Bundle", type: "batch", entry });
  return send(base, { method: "POST", body, headers });
}

const creation = (resource: unknown = inventedPatient()): Entry => ({
  resource,
  request: { method: "POST", url: "Patient" },
});
const get = (url: string, conditions: object = {}): Entry => ({
  request: { method: "GET", url, ...conditions },
});

describe("a batch", () => {
  test("answers each entry in its place, as the request alone would be", async () => {
    const stored = await send(`${base}/Patient`, { method: "POST", body: JSON.stringify(inventedPatient()) });
    const { id } = stored.json;
    const { status, json } = await batch([
      creation(),
      get(`Patient/${id}`),
      get(`/Patient/${id}`, { ifNoneMatch: 'W/"1"' }),
      {
        resource: { ...stored.json, gender: "other" },
        request: { method: "PUT", url: `Patient/${id}`, ifMatch: 'W/"9"' },
      },
      get(`Patient?_id=${id}&_elements=gender`),
      get("Patient?colour=red"),
      { request: { method: "DELETE", url: `Patient/${id}` } },
      get("Planet/1"),
    ]);
    expect([status, json.type]).toEqual([200, "batch-response"]);
    const statuses = json.entry.map(({ response }: { response: { status: string } }) => response.status);
    expect(statuses).toEqual([
      "201 Created",
      "200 OK",
      "304 Not Modified",
      "412 Precondition Failed",
      "200 OK",
      "400 Bad Request",
      "405 Method Not Allowed",
      "404 Not Found",
    ]);
    const [created, read, same, conflict, found, refused] = json.entry;
    expect((await send(created.response.location)).json).toEqual(created.resource);
    expect(read).toMatchObject({ resource: stored.json, response: { etag: 'W/"1"' } });
    expect([same.resource, same.response.etag]).toEqual([undefined, 'W/"1"']);
    expect(conflict.response.outcome.issue[0].code).toBe("conflict");
    expect(found.resource).toMatchObject({ resourceType: "Bundle", type: "searchset", total: 1 });
    expect(refused.response.outcome.issue[0].expression).toEqual(["http.colour"]);
  });

  test("refuses an entry for what the request alone is refused for before it is done", async () => {
    const stored = await send(`${base}/Patient`, { method: "POST", body: JSON.stringify(inventedPatient()) });
    const { id } = stored.json;
    for (const url of [
      `Patient/${id}?_summary=count`,
      `Patient/${id}?colour=red`,
      "Patient?_pretty=x&_id=1",
    ]) {
      const alone = await send(`${base}/${url}`);
      const [{ response }] = (await batch([get(url)])).json.entry;
      expect([url, response.status, codesIn(response.outcome)]).toEqual([
        url,
        "400 Bad Request",
        codesOf(alone),
      ]);
    }
    const resource = { ...stored.json, gender: "other" };
    const put = (url: string, ifMatch = 'W/"1"') => ({ resource, request: { method: "PUT", url, ifMatch } });
    const contentType = "application/json-patch+json";
    const { json } = await batch([
      put(`Patient/${id}?colour=red`),
      put(`Patient/${id}`, "1"),
      {
        resource: { resourceType: "Binary", contentType },
        request: { method: "PATCH", url: `Patient/${id}` },
      },
      get(`Patient/${id}`),
    ]);
    const statuses = json.entry.map(({ response }: { response: { status: string } }) => response.status);
    expect(statuses).toEqual([...Array(3).fill("400 Bad Request"), "200 OK"]);
    expect((await send(`${base}/Patient/${id}`)).json).toEqual(stored.json);
  });

  test("reads percent-encodings in the path of an entry as in that of a request", async () => {
    const stored = await send(`${base}/Patient`, { method: "POST", body: JSON.stringify(inventedPatient()) });
    const id = [...stored.json.id].map((digit) => `%3${digit}`).join("");
    for (const path of [`Patient/${id}`, `Patient/${id}/_history/%31`, "Patient/%E0%A4%A"]) {
      const alone = await send(`${base}/${path}`);
      const [entry] = (await batch([get(path)])).json.entry;
      expect([path, Number(entry.response.status.slice(0, 3))]).toEqual([path, alone.status]);
      expect(entry.resource ?? entry.response.outcome).toEqual(alone.json);
    }
  });

  test.each(["Patient//_history", "Patient//_history/1", "Patient//", "Patient//$validate", "Patient//1"])(
    "answers an address without an id as that of a request: %s",
    async (url) => {
      const alone = await send(`${base}/${url}`);
      const [entry] = (await batch([get(url)])).json.entry;
      expect(Number(entry.response.status.slice(0, 3))).toBe(alone.status);
      expect(codesIn(entry.response.outcome)).toEqual(codesOf(alone));
    },
  );

  test("reads what changed since an instant, whatever offset that has", async () => {
    const stored = await send(`${base}/Patient`, { method: "POST", body: JSON.stringify(inventedPatient()) });
    const { id, meta } = stored.json;
    const { json } = await batch([
      get(`Patient/${id}`, { ifModifiedSince: meta.lastUpdated }),
      get(`Patient/${id}`, { ifModifiedSince: "2026-01-01T00:00:00.5+02:00" }),
    ]);
    const statuses = json.entry.map(({ response }: { response: { status: string } }) => response.status);
    expect(statuses).toEqual(["304 Not Modified", "200 OK"]);
  });

  test("compares an instant to the millisecond, as the versions of a resource are told apart", async () => {
    const stored = await send(`${base}/Patient`, { method: "POST", body: JSON.stringify(inventedPatient()) });
    const { id, meta } = stored.json;
    const instants = [-1, 0, 1].map((ms) => new Date(Date.parse(meta.lastUpdated) + ms).toISOString());
    const { json } = await batch(
      instants.map((ifModifiedSince) => get(`Patient/${id}`, { ifModifiedSince })),
    );
    const statuses = json.entry.map(({ response }: { response: { status: string } }) => response.status);
    expect(statuses).toEqual(["200 OK", "304 Not Modified", "304 Not Modified"]);
  });

  test("does what can be done of it, in the language and with the preferences of the whole", async () => {
    const taken = inventedPatient();
    await send(`${base}/Patient`, { method: "POST", body: JSON.stringify(taken) });
    const { json } = await batch(
      [creation(taken), creation({ resourceType: "Patient", colour: 1 }), creation()],
      {
        "accept-language": "et",
        prefer: "return=minimal",
      },
    );
    const [duplicate, malformed, created] = json.entry;
    expect(duplicate.response.status).toBe("409 Conflict");
    expect(malformed.response.outcome.issue[0].details.text).toMatch(/Tundmatu element/);
    expect([created.resource, created.response.status]).toEqual([undefined, "201 Created"]);
  });

  test("keeps numbers as they were written", async () => {
    const extension = [{ url: "https://example.org/weight", valueDecimal: 1 }];
    const body = JSON.stringify({
      resourceType: "Bundle",
      type: "batch",
      entry: [creation(inventedPatient({ extension }))],
    }).replace('"valueDecimal":1', '"valueDecimal":1.50');
    expect((await send(base, { method: "POST", body })).text).toContain('"valueDecimal":1.50');
  });

  test("of a hundred creates stores a hundred", async () => {
    const { json } = await batch(Array.from({ length: 100 }, () => creation()));
    const ids = json.entry.map(({ resource }: { resource: { id: string } }) => resource.id);
    expect(new Set(ids).size).toBe(100);
  });

  test.each([
    ["another resource", { resourceType: "Patient" }, ["Bundle"]],
    ["another type of Bundle", { resourceType: "Bundle", type: "document" }, ["Bundle.type"]],
    ["entries that are no list", { resourceType: "Bundle", type: "batch", entry: {} }, ["Bundle.entry"]],
    [
      "entries without a request, all of them",
      {
        resourceType: "Bundle",
        type: "batch",
        entry: [{}, get("Patient/1"), { request: { method: "GET" } }, null, { request: "GET Patient/1" }],
      },
      [
        "Bundle.entry[0]",
        "Bundle.entry[3]",
        "Bundle.entry[4].request",
        "Bundle.entry[0].request",
        "Bundle.entry[2].request.url",
      ],
    ],
    [
      "too many entries",
      { resourceType: "Bundle", type: "batch", entry: Array.from({ length: 201 }, () => get("Patient/1")) },
      ["Bundle.entry"],
    ],
  ])("that is %s is refused whole", async (_what, body, expression) => {
    const { status, json } = await send(base, { method: "POST", body: JSON.stringify(body) });
    expect(status).toBe(400);
    const issues: { expression: string[] }[] = json.issue;
    expect(issues.flatMap((issue) => issue.expression)).toEqual(expression);
  });

  test("is named by the CapabilityStatement", async () => {
    const { json } = await send(`${base}/metadata`);
    expect(json.rest[0].interaction).toContainEqual({ code: "batch" });
  });
});
