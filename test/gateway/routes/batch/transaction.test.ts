import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onServer } from "../../../database.ts";
import { type RunningService, startService } from "../../../service.ts";
import { marriageOf, spouseOf } from "../../family.ts";
import { type HttpAnswer, send } from "../../http-client.ts";
import { inventedPatient } from "../../invented-patient.ts";

type Json = Record<string, unknown>;
interface Entry {
  readonly fullUrl?: string;
  readonly resource?: Json;
  readonly request: Readonly<Record<string, string>>;
}

const PATIENT = "urn:uuid:6a1b7c2d-0000-4000-8000-000000000001";
const SPOUSE = "urn:uuid:6a1b7c2d-0000-4000-8000-000000000002";

let service: RunningService;
let base: string;

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
});

afterAll(() => service.stop());

function transaction(entry: readonly Entry[], headers: Record<string, string> = {}): Promise<HttpAnswer> {
  const body = JSON.stringify({ resourceType: "Bundle", type: "transaction", entry });
  return send(base, { method: "POST", body, headers });
}

function creation(resource: Json, fullUrl?: string, ifNoneExist?: string): Entry {
  return {
    ...(fullUrl !== undefined && { fullUrl }),
    resource,
    request: {
      method: "POST",
      url: String(resource["resourceType"]),
      ...(ifNoneExist !== undefined && { ifNoneExist }),
    },
  };
}

const get = (url: string): Entry => ({ request: { method: "GET", url } });
const removal = (url: string): Entry => ({ request: { method: "DELETE", url } });
const replacement = (url: string, resource: Json, ifMatch?: string): Entry => ({
  resource,
  request: { method: "PUT", url, ...(ifMatch !== undefined && { ifMatch }) },
});

async function stored(resource: Json = inventedPatient()): Promise<Json & { id: string }> {
  const { status, json } = await send(`${base}/${resource["resourceType"]}`, {
    method: "POST",
    body: JSON.stringify(resource),
  });
  expect(status).toBe(201);
  return json;
}

const identifierOf = (patient: Json) => (patient["identifier"] as { system: string; value: string }[])[0];
function criteriaOf(patient: Json): string {
  const { system = "", value = "" } = identifierOf(patient) ?? {};
  return `identifier=${encodeURIComponent(`${system}|${value}`)}`;
}
const statuses = ({ json }: HttpAnswer) =>
  json.entry.map(({ response }: { response: { status: string } }) => response.status.slice(0, 3));
const expressions = ({ json }: HttpAnswer) =>
  json.issue.flatMap(({ expression }: { expression: string[] }) => expression);

/** How many rows of everything there are: nothing else tells that nothing was written. */
async function rows(): Promise<number[]> {
  const tables = ["patient", "patient_history", "related_person", "observation", "identifier"];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  const found = await onServer(service.databaseUrl, (client) => client.query(`SELECT ${counts.join(", ")}`));
  return Object.values(found.rows[0]);
}

describe("a transaction", () => {
  test("stores a patient with all that refers to it, whatever the order of the entries", async () => {
    const answer = await transaction([
      get("Patient?_id=1"),
      creation(marriageOf(PATIENT, { focus: [{ reference: SPOUSE }] })),
      creation(spouseOf(PATIENT), SPOUSE),
      creation(inventedPatient(), PATIENT),
    ]);
    expect([answer.status, answer.json.type]).toEqual([200, "transaction-response"]);
    expect(statuses(answer)).toEqual(["200", "201", "201", "201"]);
    const [, marriage, spouse, patient] = answer.json.entry;
    const reference = `Patient/${patient.resource.id}`;
    expect(spouse.resource.patient).toEqual({ reference });
    expect(marriage.resource.subject).toEqual({ reference });
    expect(marriage.resource.focus).toEqual([{ reference: `RelatedPerson/${spouse.resource.id}` }]);
    for (const entry of [marriage, spouse, patient]) {
      expect((await send(entry.response.location)).json).toEqual(entry.resource);
      expect(entry.response.etag).toBe('W/"1"');
    }
  });

  test("deletes, creates, replaces, patches and reads, and the reads see it done", async () => {
    const patient = await stored();
    const other = await stored();
    const contact = await stored(spouseOf(`Patient/${patient.id}`));
    const patch = Buffer.from('[{"op":"replace","path":"/gender","value":"male"}]').toString("base64");
    const answer = await transaction([
      get(`Patient/${patient.id}`),
      get(`RelatedPerson?patient=Patient/${patient.id}`),
      {
        resource: { resourceType: "Binary", contentType: "application/json-patch+json", data: patch },
        request: { method: "PATCH", url: `Patient/${other.id}` },
      },
      replacement(`Patient/${patient.id}`, { ...patient, gender: "other" }, 'W/"1"'),
      creation(spouseOf(`Patient/${patient.id}`)),
      removal(`RelatedPerson/${contact.id}`),
      get(`Patient/${patient.id}/_history`),
      removal(`Observation?patient=Patient/${patient.id}`),
    ]);
    expect(statuses(answer)).toEqual(["200", "200", "200", "200", "201", "204", "200", "204"]);
    const [read, found, patched, , created, removed, history, nothing] = answer.json.entry;
    expect(removed).toEqual({ response: { status: "204 No Content", etag: 'W/"2"' } });
    expect(nothing).toEqual({ response: { status: "204 No Content" } });
    expect(read.resource).toMatchObject({ gender: "other", meta: { versionId: "2" } });
    expect(found.resource.entry.map(({ resource }: { resource: Json }) => resource["id"])).toEqual([
      created.resource.id,
    ]);
    expect(patched.resource).toMatchObject({ id: other.id, gender: "male" });
    expect(history.resource.total).toBe(2);
    expect((await send(`${base}/RelatedPerson/${contact.id}`)).status).toBe(410);
  });

  test.each(["fhir", "1.1.1/fhir"])(
    "speaks of the place of a page by the name that was sent, as a history alone does: %s",
    async (path) => {
      const history = `Patient/${(await stored()).id}/_history?_page=x`;
      const at = `${service.url}/${path}`;
      const alone = (await send(`${at}/${history}`)).json.issue[0];
      const body = JSON.stringify({ resourceType: "Bundle", type: "transaction", entry: [get(history)] });
      const { json } = await send(at, { method: "POST", body });
      expect(json.issue).toEqual([{ ...alone, expression: ["Bundle.entry[0].request.url"] }]);
    },
  );

  test("names the JSON Patch that cannot be done as the data of its Binary", async () => {
    const patient = await stored();
    const data = Buffer.from('[{"op":"merge","path":"/gender"}]').toString("base64");
    const resource = { resourceType: "Binary", contentType: "application/json-patch+json", data };
    const patching = { resource, request: { method: "PATCH", url: `Patient/${patient.id}` } };
    const { status, json } = await transaction([creation(inventedPatient()), patching]);
    expect([status, json.issue[0].expression]).toEqual([400, ["Bundle.entry[1].resource.data"]]);
  });

  test.each([
    ["data that are no base64", { data: "!!W10*=" }, "data"],
    ["an element that it does not have", { data: "W10=", colour: "red" }, "colour"],
  ])("names what is wrong with a Binary that has %s", async (_what, wrong, element) => {
    const patient = await stored();
    const resource = { resourceType: "Binary", contentType: "application/json-patch+json", ...wrong };
    const answer = await transaction([
      { resource, request: { method: "PATCH", url: `Patient/${patient.id}` } },
    ]);
    expect([answer.status, expressions(answer)]).toEqual([400, [`Bundle.entry[0].resource.${element}`]]);
  });

  test("names the content type of a Binary that it cannot read", async () => {
    const patient = await stored();
    const resource = { resourceType: "Binary", contentType: "text/plain", data: "cGxlYXNl" };
    const answers = await Promise.all([
      transaction([{ resource, request: { method: "PATCH", url: `Patient/${patient.id}` } }]),
      transaction([creation(inventedPatient()), { resource, request: { method: "POST", url: "Patient" } }]),
    ]);
    expect(answers.map((answer) => [answer.status, expressions(answer)])).toEqual([
      [415, ["Bundle.entry[0].resource.contentType"]],
      [415, ["Bundle.entry[1].resource.contentType"]],
    ]);
  });

  test("names a header that the whole lacks as it is called, whatever its entries are", async () => {
    const patient = await stored();
    const resource = { resourceType: "Parameters" };
    const patching = { resource, request: { method: "PATCH", url: `Patient/${patient.id}` } };
    const entries = [patching, creation(inventedPatient()), get(`Patient/${patient.id}`)];
    const answers = await Promise.all(
      entries.map((entry) => transaction([entry], { "x-author-id": "", "x-road-userid": "" })),
    );
    for (const answer of answers) {
      expect([answer.status, expressions(answer)]).toEqual([400, ["http.x-road-userid", "http.x-author-id"]]);
    }
  });

  test("patches by FHIRPath, and all or nothing here too", async () => {
    const patient = await stored();
    const part = (name: string, value: Json) => ({ name, ...value });
    const patching = (path: string): Entry => ({
      resource: {
        resourceType: "Parameters",
        parameter: [
          {
            name: "operation",
            part: [
              part("type", { valueCode: "replace" }),
              part("path", { valueString: path }),
              part("value", { valueCode: "other" }),
            ],
          },
        ],
      },
      request: { method: "PATCH", url: `Patient/${patient.id}` },
    });
    const done = await transaction([patching("Patient.gender"), creation(inventedPatient())]);
    expect([statuses(done), done.json.entry[0].resource.gender]).toEqual([["200", "201"], "other"]);
    const before = await rows();
    const refused = await transaction([patching("Patient.photo[3]"), creation(inventedPatient())]);
    expect([refused.status, expressions(refused)]).toEqual([400, ["Bundle.entry[0].resource.parameter[0]"]]);
    expect(await rows()).toEqual(before);
  });

  test("finds by conditions what entries and references are about", async () => {
    const [known, fresh, changed] = [inventedPatient(), inventedPatient(), inventedPatient()];
    const { id } = await stored(known);
    const { id: changedId } = await stored(changed);
    const answer = await transaction([
      creation(known, PATIENT, criteriaOf(known)),
      creation(fresh, SPOUSE, criteriaOf(fresh)),
      replacement(`Patient?${criteriaOf(changed)}`, { ...changed, gender: "other" }),
      creation(spouseOf(PATIENT)),
      creation(spouseOf(`Patient?${criteriaOf(fresh)}`)),
      removal(`RelatedPerson?patient=Patient/${id}&active=false`),
    ]);
    expect(statuses(answer)).toEqual(["200", "201", "200", "201", "201", "204"]);
    const [existing, created, replaced, ofKnown, ofFresh] = answer.json.entry;
    expect(existing.resource.id).toBe(id);
    expect(replaced.resource).toMatchObject({ id: changedId, gender: "other" });
    expect(ofKnown.resource.patient.reference).toBe(`Patient/${id}`);
    expect(ofFresh.resource.patient.reference).toBe(`Patient/${created.resource.id}`);
  });

  test("with anything wrong writes nothing, and says all that is wrong", async () => {
    const taken = await stored();
    const before = await rows();
    const answer = await transaction([
      creation(inventedPatient(), PATIENT),
      creation({ ...inventedPatient(), identifier: taken["identifier"] }, SPOUSE),
      creation(spouseOf(SPOUSE)),
      creation(spouseOf(PATIENT, { telecom: [{ system: "phone", value: "12" }] })),
      replacement(`Patient/${taken.id}`, taken, 'W/"9"'),
      removal("RelatedPerson/990001"),
      creation(marriageOf("urn:uuid:nobody")),
      creation(inventedPatient({ gender: "none" })),
      get("Observation/990002"),
    ]);
    expect(answer.json.resourceType).toBe("OperationOutcome");
    expect(expressions(answer)).toEqual([
      "Bundle.entry[1].resource.identifier",
      "Bundle.entry[3].resource.telecom[0].value",
      "Bundle.entry[4]",
      "Bundle.entry[5]",
      "Bundle.entry[6].resource.subject",
      "Bundle.entry[7].resource.gender",
      "Bundle.entry[8]",
    ]);
    expect(await rows()).toEqual(before);
  });

  test("says all that is wrong with the structure of its entries", async () => {
    const before = await rows();
    const answer = await transaction([
      creation(inventedPatient({ colour: "red" })),
      creation(inventedPatient()),
      creation(inventedPatient({ birthDate: "yesterday" })),
      get("Patient?colour=red"),
      { request: { method: "DELETE", url: "Patient/1" } },
      { resource: {}, request: { method: "POST", url: "Patient/$link" } },
    ]);
    expect([answer.status, expressions(answer)]).toEqual([
      400,
      [
        "Bundle.entry[0].resource.colour",
        "Bundle.entry[2].resource.birthDate",
        "Bundle.entry[4]",
        "Bundle.entry[5].resource",
      ],
    ]);
    expect(await rows()).toEqual(before);
  });

  test("names the address of an entry where a criterion has no name", async () => {
    const answer = await transaction([replacement("Patient?=x", inventedPatient())]);
    expect([answer.status, expressions(answer)]).toEqual([400, ["Bundle.entry[0].request.url"]]);
  });

  test("names the element of a creation that holds the parameters which are wrong", async () => {
    const answer = await transaction([
      { resource: inventedPatient(), request: { method: "POST", url: "Patient?name=x" } },
      creation(inventedPatient(), undefined, "_id=%zz"),
    ]);
    expect([answer.status, expressions(answer)]).toEqual([
      400,
      ["Bundle.entry[0].request.url", "Bundle.entry[1].request.ifNoneExist"],
    ]);
  });

  test("about one resource twice is refused", async () => {
    const patient = await stored();
    const answer = await transaction([
      replacement(`Patient/${patient.id}`, patient),
      replacement(`Patient?${criteriaOf(patient)}`, patient),
    ]);
    expect([answer.status, expressions(answer)]).toEqual([400, ["Bundle.entry[1].request.url"]]);
    const twins = await transaction([
      creation(inventedPatient(), PATIENT),
      creation(inventedPatient(), PATIENT),
    ]);
    expect(expressions(twins)).toEqual(["Bundle.entry[1].fullUrl"]);
  });

  test("of another version than If-Match names is 412", async () => {
    const patient = await stored();
    const answer = await transaction([
      creation(inventedPatient()),
      replacement(`Patient/${patient.id}`, patient, 'W/"7"'),
    ]);
    expect(answer.status).toBe(412);
  });

  test("answers with as much as Prefer asks for", async () => {
    const { json } = await transaction([creation(inventedPatient())], { prefer: "return=minimal" });
    expect(json.entry[0].resource).toBeUndefined();
    expect(json.entry[0].response.location).toMatch(/Patient\/\d+\/_history\/1$/);
  });

  test("of nothing is done", async () => {
    const { status, json } = await transaction([]);
    expect([status, json.type]).toEqual([200, "transaction-response"]);
  });

  test("and another one in the opposite order are both done, however often they meet", async () => {
    const [one, other] = [await stored(), await stored()];
    const change = (patient: Json & { id: string }) =>
      replacement(`Patient/${patient.id}`, { ...patient, birthDate: randomDate() });
    const contact = (patient: { id: string }) =>
      creation(
        spouseOf(`Patient/${patient.id}`, {
          identifier: [{ system: "https://fhir.ee/sid/pid/swe/ni", value: randomUUID() }],
        }),
      );
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all([
        transaction([change(one), change(other), contact(one)]),
        transaction([change(other), contact(other), change(one)]),
        transaction([contact(other), change(one)]),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    const { json } = await send(`${base}/Patient/${one.id}`);
    expect(json.meta.versionId).toBe("25");
  });

  test("which takes the identifiers of another one at the same time in the opposite order leaves one of them", async () => {
    for (let round = 0; round < 4; round++) {
      const people = Array.from({ length: 6 }, () => inventedPatient());
      const answers = await Promise.all([
        transaction(people.map((person) => creation(person))),
        transaction(people.toReversed().map((person) => creation(person))),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  test("of conditional creations at once stores each patient once", async () => {
    const people = Array.from({ length: 4 }, () => inventedPatient());
    const entries = people.map((person) => creation(person, undefined, criteriaOf(person)));
    const answers = await Promise.all([
      transaction(entries),
      transaction(entries.toReversed()),
      transaction(entries),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.flatMap(statuses).filter((status) => status === "201")).toHaveLength(4);
  });

  test("is named by the CapabilityStatement", async () => {
    const { json } = await send(`${base}/metadata`);
    expect(json.rest[0].interaction).toEqual([{ code: "batch" }, { code: "transaction" }]);
  });
});

function randomDate(): string {
  return new Date(Date.UTC(1960, 0, 1 + Math.floor(Math.random() * 9000))).toISOString().slice(0, 10);
}
