import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, type HttpAnswer, type HttpRequest, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

let service: RunningService;
let patients: string;

beforeAll(async () => {
  service = await startService();
  patients = `${service.url}/fhir/Patient`;
});

afterAll(() => service.stop());

function create(body: object = inventedPatient(), headers: HttpRequest["headers"] = {}): Promise<HttpAnswer> {
  return send(patients, { method: "POST", body: JSON.stringify(body), headers });
}

function put(id: string, body: object, headers: HttpRequest["headers"] = {}): Promise<HttpAnswer> {
  return send(`${patients}/${id}`, { method: "PUT", body: JSON.stringify(body), headers });
}

describe("create", () => {
  test("answers 201 with the stored resource, its version and where it is", async () => {
    const given = inventedPatient();
    const { status, headers, json } = await create(given);
    expect(status).toBe(201);
    expect(json).toMatchObject({ ...given, id: expect.stringMatching(/^\d+$/) });
    expect(json.meta).toMatchObject({
      versionId: "1",
      lastUpdated: expect.stringMatching(/^20\d\d-.*\+0[23]:00$/),
    });
    expect(headers.get("location")).toBe(`${patients}/${json.id}/_history/1`);
    expect(headers.get("etag")).toBe('W/"1"');
    expect(Math.floor(Date.parse(json.meta.lastUpdated) / 1000)).toBe(
      Date.parse(headers.get("last-modified") ?? "") / 1000,
    );
  });

  test("the Location leads to what was stored", async () => {
    const created = await create();
    const read = await send(created.headers.get("location") ?? "");
    expect(read.text).toBe(created.text);
  });

  test("gives as much back as Prefer asks for", async () => {
    const minimal = await create(inventedPatient(), { prefer: "return=minimal" });
    expect([minimal.status, minimal.text, minimal.headers.get("etag")]).toEqual([201, "", 'W/"1"']);
    const outcome = await create(inventedPatient(), { prefer: "handling=strict; return=OperationOutcome" });
    expect(outcome.json).toMatchObject({
      resourceType: "OperationOutcome",
      issue: [{ severity: "information" }],
    });
    const whole = await create(inventedPatient(), { prefer: "return=representation, return=minimal" });
    expect(whole.json.resourceType).toBe("Patient");
  });

  test("of one whose identifier is taken is refused with MPI-010", async () => {
    const given = inventedPatient();
    await create(given);
    const { status, json } = await create(given);
    expect(status).toBe(409);
    expect(json.issue[0].details.coding).toEqual([{ system: "https://mpi.tehik.ee", code: "MPI-010" }]);
  });

  test("takes application/json alike", async () => {
    const { status } = await create(inventedPatient(), { "content-type": "application/json; charset=UTF-8" });
    expect(status).toBe(201);
  });
});

describe("conditional create", () => {
  test("stores once, however often and however many at a time it is asked to", async () => {
    const given = inventedPatient();
    const condition = { "if-none-exist": `identifier=${identifierOf(given)}` };
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(given, condition)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  });

  test("means the same by letters beyond ASCII as they are, percent-encoded, and in an entry of a batch", async () => {
    const identifier = [{ system: "https://fhir.ee/sid/pid/fin/ppn", value: `Ž-Ö-${Date.now()}` }];
    const { json: stored } = await create(inventedPatient({ identifier }));
    const condition = `identifier=${identifierOf(stored)}`;
    const asReceived = Buffer.from(condition, "utf8").toString("latin1");
    const alone = [asReceived, encodeURI(condition)].map((header) =>
      create(inventedPatient(), { "if-none-exist": header }),
    );
    expect((await Promise.all(alone)).map(({ status, json }) => [status, json.id])).toEqual([
      [200, stored["id"]],
      [200, stored["id"]],
    ]);
    const request = { method: "POST", url: "Patient", ifNoneExist: condition };
    const entry = [{ resource: inventedPatient(), request }];
    const body = JSON.stringify({ resourceType: "Bundle", type: "batch", entry });
    const { json } = await send(`${service.url}/fhir`, { method: "POST", body });
    expect(json.entry[0].resource.id).toBe(stored["id"]);
  });

  test("under several lines of If-None-Exist is refused: each could mean somebody else", async () => {
    const [one, other] = await Promise.all([create(), create()]);
    const headers = { "if-none-exist": [`_id=${one.json.id}`, `_id=${other.json.id}`] };
    const refused = await new Promise<string>((resolve, reject) => {
      const body = JSON.stringify(inventedPatient());
      request(patients, { method: "POST", headers: { "content-type": "application/fhir+json", ...headers } })
        .once("response", (response) => text(response).then(resolve, reject))
        .once("error", reject)
        .end(body);
    });
    expect(JSON.parse(refused).issue[0].expression).toEqual(["http.if-none-exist"]);
  });

  test("is refused with 412 when several fit", async () => {
    const birthDate = "1931-03-04";
    await create(inventedPatient({ birthDate }));
    await create(inventedPatient({ birthDate }));
    const { status, json } = await create(inventedPatient(), { "if-none-exist": `birthdate=${birthDate}` });
    expect([status, json.issue[0].code]).toEqual([412, "multiple-matches"]);
  });
});

describe("read", () => {
  test("answers 304 to those who have the version already", async () => {
    const { json, headers } = await create();
    const url = `${patients}/${json.id}`;
    const conditions = [
      { "if-none-match": 'W/"1"' },
      { "if-none-match": '"9", "1"' },
      { "if-none-match": "*" },
      { "if-modified-since": headers.get("last-modified") ?? "" },
      { "if-modified-since": "Friday, 01-Jan-38 00:00:00 GMT" },
      { "if-modified-since": "Fri Jan  1 00:00:00 2100" },
    ];
    for (const condition of conditions) {
      const answer = await send(url, { headers: condition });
      expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", 'W/"1"']);
    }
    for (const condition of [
      { "if-none-match": 'W/"2"' },
      { "if-none-match": "1" },
      { "if-modified-since": "Mon, 01 Jan 2001 00:00:00 GMT" },
      { "if-none-match": 'W/"2"', "if-modified-since": headers.get("last-modified") ?? "" },
      { "if-modified-since": "2100-01-01" },
    ]) {
      expect((await send(url, { headers: condition })).status).toBe(200);
    }
  });

  test("HEAD answers as GET does, without the body", async () => {
    const { json } = await create();
    const get = await send(`${patients}/${json.id}`);
    const head = await send(`${patients}/${json.id}`, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["etag", "last-modified", "content-type", "content-length"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect((await send(`${patients}/abc`, { method: "HEAD" })).status).toBe(404);
  });

  test("shows the elements asked for, and says that it is cut", async () => {
    const { json } = await create();
    const cut = (await send(`${patients}/${json.id}?_elements=name.family,gender`)).json;
    expect(Object.keys(cut)).toEqual(["resourceType", "id", "meta", "name", "gender"]);
    expect(cut.name).toEqual([{ family: "Virtanen" }]);
    expect(cut.meta.tag).toMatchObject([{ code: "SUBSETTED" }]);
  });

  test.each([
    ["true", ["resourceType", "id", "meta", "identifier", "name", "gender", "birthDate"]],
    ["text", ["resourceType", "id", "meta"]],
    ["false", ["resourceType", "id", "meta", "identifier", "name", "gender", "birthDate", "communication"]],
    ["data", ["resourceType", "id", "meta", "identifier", "name", "gender", "birthDate", "communication"]],
  ])("_summary=%s", async (summary, elements) => {
    const language = { coding: [{ system: "urn:ietf:bcp:47", code: "fi" }] };
    const { json } = await create(inventedPatient({ communication: [{ language }] }));
    const shown = (await send(`${patients}/${json.id}?_summary=${summary}`)).json;
    expect(Object.keys(shown)).toEqual(elements);
  });

  test("searches by a form that is not UTF-8 are refused for the header that says what it is", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new Uint8Array(Buffer.from("identifier=\u00e4", "latin1"));
    const { status, json } = await send(`${patients}/_search`, { method: "POST", headers, body });
    expect([status, json.issue[0].expression]).toEqual([400, ["http.content-type"]]);
  });

  test("passes over what it does not know, where that is wished, however often it is given", async () => {
    const { json } = await create();
    const headers = { prefer: "handling=lenient" };
    const lenient = await send(`${patients}/${json.id}?colour=red&colour=blue`, { headers });
    expect([lenient.status, lenient.json]).toEqual([200, json]);
    const twice = await send(`${patients}/${json.id}?_elements=name&_elements=gender`, { headers });
    expect([twice.status, codesOf(twice)]).toEqual([400, ["MPI-080"]]);
    const strict = await send(`${patients}/${json.id}?colour=red&colour=blue`);
    expect(codesOf(strict)).toEqual(["MPI-015", "MPI-015"]);
  });

  test("_pretty indents, and nothing else changes", async () => {
    const { json } = await create();
    const plain = await send(`${patients}/${json.id}`);
    const pretty = await send(`${patients}/${json.id}?_pretty=true`);
    expect(pretty.text).toContain('\n  "id"');
    expect(pretty.json).toEqual(plain.json);
    expect((await send(`${patients}/abc?_pretty=true`)).text).toContain('\n  "issue"');
  });

  test.each(["json", "application/json", "application/fhir%2Bjson", "application/fhir+json"])(
    "_format=%s outdoes Accept",
    async (format) => {
      const { json } = await create();
      const headers = { accept: "application/xml" };
      const answer = await send(`${patients}/${json.id}?_format=${format}`, { headers });
      expect(answer.headers.get("content-type")).toBe("application/fhir+json; charset=utf-8");
    },
  );

  test.each([
    "*/*",
    "application/*;q=0.1",
    "text/html, application/json;q=0.5",
    "application/fhir+json; fhirVersion=5.0",
  ])("Accept: %s gets FHIR JSON", async (accept) => {
    const { json } = await create();
    const answer = await send(`${patients}/${json.id}`, { headers: { accept } });
    expect(answer.headers.get("content-type")).toBe("application/fhir+json; charset=utf-8");
  });
});

describe("vread", () => {
  test("shows a version as it was", async () => {
    const created = await create();
    await put(created.json.id, { ...created.json, gender: "other" });
    const first = await send(`${patients}/${created.json.id}/_history/1`);
    expect(first.text).toBe(created.text);
    const second = await send(`${patients}/${created.json.id}/_history/2`);
    expect([second.json.gender, second.headers.get("etag")]).toEqual(["other", 'W/"2"']);
  });

  test("shows as much as _elements or _summary ask for", async () => {
    const { json } = await create();
    const version = `${patients}/${json.id}/_history/1`;
    const cut = await send(`${version}?_elements=gender`);
    expect(Object.keys(cut.json).sort()).toEqual(["gender", "id", "meta", "resourceType"]);
    expect(cut.json.meta.tag).toMatchObject([{ code: "SUBSETTED" }]);
    expect((await send(`${version}?_summary=true`)).json.meta.tag).toMatchObject([{ code: "SUBSETTED" }]);
  });

  test("of a path without an id says that it is missing", async () => {
    const answer = await send(`${patients}//_history/1`);
    expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-078"]]);
  });

  test("of a version that does not exist is MPI-079", async () => {
    const { json } = await create();
    const answer = await send(`${patients}/${json.id}/_history/2`);
    expect([answer.status, codesOf(answer)]).toEqual([404, ["MPI-079"]]);
  });
});

describe("update", () => {
  test("makes the next version, with or without an id in the body", async () => {
    const { json } = await create();
    const { id: _id, ...withoutId } = json;
    const second = await put(json.id, { ...withoutId, gender: "unknown" });
    expect([second.status, second.json.meta.versionId, second.headers.get("etag")]).toEqual([
      200,
      "2",
      'W/"2"',
    ]);
    expect(second.headers.get("location")).toBe(`${patients}/${json.id}/_history/2`);
    const third = await put(json.id, second.json);
    expect(third.json.meta.versionId).toBe("3");
  });

  test("under If-Match happens only to that version", async () => {
    const { json } = await create();
    expect((await put(json.id, json, { "if-match": 'W/"1"' })).status).toBe(200);
    const late = await put(json.id, json, { "if-match": 'W/"1"' });
    expect([late.status, codesOf(late), late.json.issue[0].code]).toEqual([412, ["MPI-400"], "conflict"]);
    expect((await send(`${patients}/${json.id}`)).json.meta.versionId).toBe("2");
    expect((await put(json.id, json, { "if-match": "*" })).status).toBe(200);
  });

  test("is done where If-None-Match lists other versions, and where If-Unmodified-Since is no date", async () => {
    const { json } = await create();
    expect((await put(json.id, json, { "if-none-match": ' , "7" ,, W/"8,9",' })).status).toBe(200);
    for (const none of ["never", "5", "2001-01-01"]) {
      expect((await put(json.id, json, { "if-unmodified-since": none })).status).toBe(200);
    }
    expect((await put(json.id, json, { "if-none-match": '"7" ,, W/"5",' })).status).toBe(412);
  });

  test("with another id in the body is refused", async () => {
    const { json } = await create();
    const answer = await put(json.id, { ...json, id: "999999" });
    expect([answer.status, codesOf(answer), answer.json.issue[0].expression]).toEqual([
      400,
      ["MPI-096"],
      ["Patient.id"],
    ]);
  });

  test("of nobody is MPI-072", async () => {
    const answer = await put("999999", inventedPatient());
    expect([answer.status, codesOf(answer)]).toEqual([404, ["MPI-072"]]);
  });

  test("by a query replaces the one that fits, and stores when none does", async () => {
    const given = inventedPatient();
    const url = `${patients}?identifier=${identifierOf(given)}`;
    const byQuery = (body: object) => send(url, { method: "PUT", body: JSON.stringify(body) });
    const stored = await byQuery(given);
    expect([stored.status, stored.json.meta.versionId]).toEqual([201, "1"]);
    const replaced = await byQuery({ ...given, gender: "other" });
    expect([replaced.status, replaced.json.id, replaced.json.meta.versionId]).toEqual([
      200,
      stored.json.id,
      "2",
    ]);
    const without = await send(patients, { method: "PUT", body: JSON.stringify(given) });
    expect([without.status, codesOf(without)]).toEqual([400, ["MPI-015"]]);
  });
});

function identifierOf(patient: Record<string, unknown>): string {
  const [{ system, value }] = patient["identifier"] as [{ system: string; value: string }];
  return `${system}|${value}`;
}
