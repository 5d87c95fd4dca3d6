import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FhirJson, parseJson, stringifyJson, writeXml } from "../../../../gateway/fhir/index.ts";
import { contact, maritalStatus } from "../../../atlas/dependents.ts";
import { type RunningService, startService } from "../../../service.ts";
import { editedExample, type Json } from "../../edited-example.ts";
import { type HttpAnswer, send } from "../../http-client.ts";
import { inventedPatient } from "../../invented-patient.ts";
import { examplesOf, exampleText } from "../../official-examples.ts";
import { operation, parameters } from "../../patch/patch-parameters.ts";
import { sendXml, XML } from "../../xml-client.ts";
import { schemaFaults } from "./schema.ts";

const examples = examplesOf("Patient");

let service: RunningService;
let base: string;

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
});

afterAll(() => service.stop());

function post(path: string, resource: object): Promise<HttpAnswer> {
  return sendXml(`${base}${path}`, { method: "POST", body: writeXml(resource as FhirJson) });
}

/** What a write or a read says in JSON, but for the request's own instant. */
async function jsonOf(path: string): Promise<unknown> {
  return (await send(`${base}${path}`)).json;
}

test.each(examples.map((file, index) => ({ file, index })))(
  "$file goes in as XML and comes out as XML and as JSON, all the same",
  async ({ file, index }) => {
    const example = parseJson(exampleText(file)).value as Json;
    const created = await post("/Patient", editedExample(example, `XML${index}`));
    expect(created.json.issue).toBeUndefined();
    expect(created.status).toBe(201);
    const read = await sendXml(`${base}/Patient/${created.json.id}`);
    expect(read.text).toBe(created.text);
    expect(read.json).toEqual(await jsonOf(`/Patient/${created.json.id}`));
    const twin = await send(`${base}/Patient`, {
      method: "POST",
      body: stringifyJson(editedExample(example, `JSON${index}`)),
    });
    expect(withoutOwn(read.json)).toEqual(withoutOwn(twin.json));
  },
);

/** Without what tells one patient from its twin. */
function withoutOwn({ id, meta, identifier, ...rest }: Json): Json {
  return rest;
}

describe("every interaction in XML", () => {
  test("says what it says in JSON: read, vread, update, history, search, 304, HEAD", async () => {
    const created = await post("/Patient", inventedPatient());
    const path = `/Patient/${created.json.id}`;
    expect(await jsonOf(path)).toEqual(created.json);
    const updated = await sendXml(`${base}${path}`, {
      method: "PUT",
      body: created.text,
      headers: { "if-match": 'W/"1"' },
    });
    expect([updated.status, updated.json.meta.versionId]).toEqual([200, "2"]);
    expect((await sendXml(`${base}${path}/_history/1`)).json).toEqual(created.json);
    expect((await sendXml(`${base}${path}/_history`)).json).toEqual(await jsonOf(`${path}/_history`));
    expect((await sendXml(`${base}/Patient?_id=${created.json.id}`)).json).toEqual(
      await jsonOf(`/Patient?_id=${created.json.id}`),
    );
    const known = { "if-none-match": 'W/"2"' };
    expect(await sendXml(`${base}${path}`, { headers: known })).toMatchObject({ status: 304, text: "" });
    const head = await sendXml(`${base}${path}`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, XML]);
  });

  test("is asked for by _format in the form of a POST to _search, and its refusal too", async () => {
    const form = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } };
    const found = await send(`${base}/Patient/_search`, { ...form, body: "_id=1&_format=xml" });
    expect([found.status, found.headers.get("content-type")]).toEqual([200, XML]);
    const refused = await send(`${base}/Patient/_search`, { ...form, body: "family=X&_format=xml" });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([400, XML]);
    expect(schemaFaults(refused.text)).toEqual([]);
  });

  test("stores and shows contact persons and marital status", async () => {
    const patient = `Patient/${(await post("/Patient", inventedPatient())).json.id}`;
    for (const given of [contact(patient), maritalStatus(patient)]) {
      const { status, json } = await post(`/${given["resourceType"]}`, given);
      expect(status).toBe(201);
      const search = `/${json.resourceType}?patient=${patient}`;
      expect(json).toEqual(await jsonOf(`/${json.resourceType}/${json.id}`));
      expect((await sendXml(`${base}${search}`)).json).toEqual(await jsonOf(search));
    }
  });

  test("takes Parameters of operations", async () => {
    const identifier = (json: Json) => (json["identifier"] as Json[])[0];
    const source = await post("/Patient", inventedPatient());
    const target = await post("/Patient", inventedPatient());
    const linked = await post("/Patient/$link", {
      resourceType: "Parameters",
      parameter: [
        { name: "source-patient-identifier", valueIdentifier: identifier(source.json) },
        { name: "target-patient", valueReference: { reference: `Patient/${target.json.id}` } },
      ],
    });
    expect([linked.status, linked.json.id]).toEqual([200, target.json.id]);
    const found = await post("/Patient/$lookup", {
      resourceType: "Parameters",
      parameter: [{ name: "identifier", valueIdentifier: identifier(target.json) }],
    });
    expect([found.status, found.json.type, found.json.entry.length]).toEqual([200, "collection", 1]);
  });

  test("a batch, whose entries are answered in the same way", async () => {
    const { status, json } = await post("/", {
      resourceType: "Bundle",
      type: "batch",
      entry: [
        { resource: inventedPatient(), request: { method: "POST", url: "Patient" } },
        { request: { method: "GET", url: "Patient/999999?_format=xml" } },
        { request: { method: "GET", url: "metadata" } },
      ],
    });
    expect([status, json.type]).toEqual([200, "batch-response"]);
    expect(json.entry.map((entry: { response: Json }) => entry.response["status"])).toEqual([
      "201 Created",
      "404 Not Found",
      "200 OK",
    ]);
    expect(json.entry[0].resource.resourceType).toBe("Patient");
    expect(json.entry[1].response.outcome.resourceType).toBe("OperationOutcome");
  });

  test("a transaction with a FHIRPath Patch, done or refused as a whole", async () => {
    const before = await post("/Patient", inventedPatient());
    const transaction = (gender: string) => ({
      resourceType: "Bundle",
      type: "transaction",
      entry: [
        { resource: inventedPatient(), request: { method: "POST", url: "Patient" } },
        {
          resource: parameters(
            operation("replace", { path: "Patient.gender", value: { valueCode: gender } }),
          ),
          request: { method: "PATCH", url: `Patient/${before.json.id}` },
        },
      ],
    });
    const done = await post("/", transaction("other"));
    expect([done.status, done.json.type, done.json.entry[1].resource.gender]).toEqual([
      ...[200, "transaction-response", "other"],
    ]);
    const refused = await post("/", transaction("none"));
    expect([refused.status, refused.json.resourceType]).toEqual([400, "OperationOutcome"]);
  });

  test("is validated by $validate", async () => {
    const { status, json } = await post("/Patient/$validate", inventedPatient({ gender: "none" }));
    expect([status, json.resourceType, json.issue[0].severity]).toEqual([200, "OperationOutcome", "error"]);
  });
});
