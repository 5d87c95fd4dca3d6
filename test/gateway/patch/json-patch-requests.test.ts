import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { doctor } from "../../callers.ts";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

let service: RunningService;
let patients: string;

beforeAll(async () => {
  service = await startService();
  patients = `${service.url}/fhir/Patient`;
});

afterAll(() => service.stop());

async function newPatient(changes: Record<string, unknown> = {}): Promise<HttpAnswer["json"]> {
  return (await send(patients, { method: "POST", body: JSON.stringify(inventedPatient(changes)) })).json;
}

function patch(id: string, operations: unknown, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return send(`${patients}/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json-patch+json", ...headers },
    body: JSON.stringify(operations),
  });
}

function patchInBundle(type: string, id: string, operations: unknown, ifMatch?: string): Promise<HttpAnswer> {
  const data = Buffer.from(JSON.stringify(operations)).toString("base64");
  const entry = {
    resource: { resourceType: "Binary", contentType: "application/json-patch+json", data },
    request: { method: "PATCH", url: `Patient/${id}`, ...(ifMatch !== undefined && { ifMatch }) },
  };
  const body = JSON.stringify({ resourceType: "Bundle", type, entry: [entry] });
  return send(`${service.url}/fhir`, { method: "POST", body });
}

const patchInTransaction = (id: string, operations: unknown) => patchInBundle("transaction", id, operations);

const telecom = [
  { system: "phone", value: "+358401111111", use: "home" },
  { system: "phone", value: "+358402222222", use: "work" },
];

describe("a JSON Patch", () => {
  test("changes what it names and nothing else, as the next version", async () => {
    const before = await newPatient({ telecom });
    const { status, headers, json } = await patch(before.id, [
      { op: "test", path: "/gender", value: "female" },
      { op: "replace", path: "/gender", value: "other" },
      { op: "add", path: "/active", value: true },
      { op: "add", path: "/name/0/given/-", value: "Maria" },
      { op: "add", path: "/name/0/given/0", value: "Anna" },
      { op: "remove", path: "/telecom/0" },
      { op: "move", from: "/name/0/given/1", path: "/name/0/given/2" },
      { op: "copy", from: "/telecom/0", path: "/telecom/-" },
      { op: "add", path: "/spare", value: "mobile" },
      { op: "move", from: "/spare", path: "/telecom/1/use" },
      { op: "move", from: "/gender", path: "/gender" },
    ]);
    expect([status, headers.get("etag")]).toEqual([200, 'W/"2"']);
    expect(json).toEqual({
      ...before,
      meta: { ...before.meta, versionId: "2", lastUpdated: json.meta.lastUpdated },
      active: true,
      gender: "other",
      name: [{ ...before.name[0], given: ["Anna", "Maria", "Aino"] }],
      telecom: [telecom[1], { ...telecom[1], use: "mobile" }],
    });
  });

  test("keeps numbers as they were written", async () => {
    const extension = [{ url: "https://example.org/weight", valueDecimal: 1 }];
    const body = JSON.stringify(inventedPatient({ extension })).replace(
      '"valueDecimal":1',
      '"valueDecimal":1.50',
    );
    const { json } = await send(patients, { method: "POST", body });
    const answer = await patch(json.id, [
      { op: "test", path: "/extension/0/valueDecimal", value: 1.5 },
      { op: "replace", path: "/gender", value: "male" },
    ]);
    expect([answer.status, answer.text.includes('"valueDecimal":1.50')]).toEqual([200, true]);
  });

  test("under If-Match is done to that version alone", async () => {
    const { id } = await newPatient();
    const male = [{ op: "replace", path: "/gender", value: "male" }];
    expect((await patch(id, male, { "if-match": 'W/"1"' })).status).toBe(200);
    expect((await patch(id, male, { "if-match": 'W/"1"' })).status).toBe(412);
  });

  test("of another version than If-Match names is 412, even one that could not be done, alone and in a Bundle", async () => {
    const { id } = await newPatient();
    const operations = [{ op: "remove", path: "/photo/0" }];
    expect((await patch(id, operations, { "if-match": 'W/"9"' })).status).toBe(412);
    expect((await patch(id, operations, { "if-match": "*" })).status).toBe(400);
    const batch = await patchInBundle("batch", id, operations, 'W/"9"');
    expect(batch.json.entry[0].response.status).toBe("412 Precondition Failed");
    const transaction = await patchInBundle("transaction", id, operations, 'W/"9"');
    expect([transaction.status, transaction.json.issue[0].code]).toEqual([412, "conflict"]);
  });

  test.each([
    ["", patch],
    [", each in a transaction,", patchInTransaction],
  ])("of several at once%s loses none and refuses none", async (_way, patchOnce) => {
    const { id } = await newPatient();
    const given = ["B", "C", "D", "E", "F"];
    const answers = await Promise.all(
      given.map((name) => patchOnce(id, [{ op: "add", path: "/name/0/given/-", value: name }])),
    );
    expect(answers.map(({ status }) => status)).toEqual(given.map(() => 200));
    const { json } = await send(`${patients}/${id}`);
    expect(json.name[0].given.toSorted()).toEqual(["Aino", ...given]);
  });

  test.each([
    ["a test that fails", [{ op: "test", path: "/gender", value: "male" }], "http.body[1]"],
    ["a path that is not there", [{ op: "remove", path: "/photo/0" }], "http.body[1]"],
    ["an index past the end", [{ op: "add", path: "/name/7", value: {} }], "http.body[1]"],
    ["an index with a leading zero", [{ op: "remove", path: "/name/00" }], "http.body[1]"],
    ["a place below nothing", [{ op: "add", path: "/photo/0/title", value: "x" }], "http.body[1]"],
    ["what every object inherits", [{ op: "remove", path: "/toString" }], "http.body[1]"],
    ["a replacement of nothing", [{ op: "replace", path: "/language", value: "et" }], "http.body[1]"],
    ["a test of nothing", [{ op: "test", path: "/language", value: "et" }], "http.body[1]"],
    ["a copy of nothing", [{ op: "copy", from: "/language", path: "/gender" }], "http.body[1]"],
    ["a move of nothing", [{ op: "move", from: "/name/1", path: "/name/0" }], "http.body[1]"],
    ["a copy to nowhere", [{ op: "copy", from: "/gender", path: "/photo/0/title" }], "http.body[1]"],
    ["a move into itself", [{ op: "move", from: "/name", path: "/name/0" }], "http.body[1]"],
    [
      "a move into itself where another takes its place",
      [
        { op: "copy", from: "/name/0", path: "/name/1" },
        { op: "move", from: "/name/0", path: "/name/0/given" },
      ],
      "http.body[2]",
    ],
    [
      "a move to what is not there when it is taken away",
      [
        { op: "copy", from: "/name/0", path: "/name/1" },
        { op: "move", from: "/name/0", path: "/name/1/given" },
      ],
      "http.body[2]",
    ],
    [
      "a place in a number",
      [
        { op: "add", path: "/multipleBirthInteger", value: JSON.rawJSON("2.50") },
        { op: "add", path: "/multipleBirthInteger/x", value: 1 },
      ],
      "http.body[2]",
    ],
    [
      "a place in a null",
      [
        { op: "add", path: "/language", value: null },
        { op: "add", path: "/language/x", value: 1 },
      ],
      "http.body[2]",
    ],
    ["an escape that is none", [{ op: "add", path: "/name/0/~2", value: "x" }], "http.body[1]"],
    ["copies of copies without end", growing(), expect.stringMatching(/^http\.body\[\d+\]$/)],
    ["an unknown operation", [{ op: "merge", path: "/gender", value: "male" }], "http.body[1]"],
    ["a number for an operation", [{ op: JSON.rawJSON("1.50"), path: "/gender" }], "http.body[1]"],
    ["a path that is no pointer", [{ op: "remove", path: "gender" }], "http.body[1]"],
    ["an operation without a value", [{ op: "add", path: "/gender" }], "http.body[1]"],
    ["something else than a list", { op: "remove", path: "/gender" }, "http.body"],
    ["an element that no patient has", [{ op: "add", path: "/colour", value: "red" }], "Patient.colour"],
    ["a property that is none", [{ op: "add", path: "/__proto__", value: {} }], "Patient.__proto__"],
    ["the loss of the whole", [{ op: "remove", path: "" }], "Patient"],
    ["another id", [{ op: "replace", path: "/id", value: "999999" }], "Patient.id"],
  ])("with %s is refused whole, and told where", async (_what, operations, expression) => {
    const before = await newPatient();
    const last = [{ op: "replace", path: "/gender", value: "other" }];
    const answer = await patch(before.id, Array.isArray(operations) ? [...last, ...operations] : operations);
    expect([answer.status, answer.json.issue[0].details.coding[0].code]).toEqual([400, "MPI-096"]);
    expect(answer.json.issue[0].expression).toEqual([expression]);
    expect((await send(`${patients}/${before.id}`)).json).toEqual(before);
  });

  test("that cannot be done is told the number of the operation and its path", async () => {
    const { id } = await newPatient();
    const answer = await patch(id, [
      { op: "test", path: "/gender", value: "female" },
      { op: "remove", path: "/photo/7" },
    ]);
    const { text } = answer.json.issue[0].details;
    expect([text.match(/\d+/)?.[0], text.includes("/photo/7")]).toEqual(["2", true]);
  });

  test("in which several operations are none is told all of them", async () => {
    const { id } = await newPatient();
    const answer = await patch(id, [
      { op: "merge", path: "/gender" },
      { op: "replace", path: "/gender", value: "other" },
      { op: "add", path: "/gender" },
      "remove",
      null,
    ]);
    const issues: { expression: string[] }[] = answer.json.issue;
    expect([answer.status, issues.flatMap(({ expression }) => expression)]).toEqual([
      400,
      ["http.body[0]", "http.body[2]", "http.body[3]", "http.body[4]"],
    ]);
  });

  test("by whoever may read and not write is refused before it is looked at", async () => {
    const { id } = await newPatient();
    const failing = JSON.stringify([{ op: "test", path: "/gender", value: "none" }]);
    const as = { ...doctor, role: "student", scope: "" };
    const headers = { "content-type": "application/json-patch+json" };
    for (const path of [`${patients}/${id}`, `${patients}/999999`]) {
      const answer = await send(path, { method: "PATCH", body: failing, headers, as });
      expect([path, answer.status, codesOf(answer)]).toEqual([path, 403, ["MPI-403"]]);
      expect(answer.json.issue[0].details.text).toContain("update Patient");
    }
    const put = await send(`${patients}/999999`, {
      method: "PUT",
      body: JSON.stringify(inventedPatient()),
      headers: { "if-none-match": 'W/"1"' },
      as,
    });
    expect([put.status, codesOf(put)]).toEqual([403, ["MPI-403"]]);
  });

  test("of nobody is MPI-072, and of another type is 415", async () => {
    expect((await patch("999999", [])).status).toBe(404);
    const { id } = await newPatient();
    expect((await patch(id, [], { "content-type": "application/json" })).status).toBe(415);
  });
});

/** Each operation doubles what is there. */
function growing(): object[] {
  return Array.from({ length: 40 }, () => ({ op: "copy", from: "/name", path: "/name/-" }));
}
