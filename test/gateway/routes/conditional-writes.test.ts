import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { doctor } from "../../callers.ts";
import { PROFILE_BASE } from "../../patients/examples.ts";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, type HttpAnswer, type HttpRequest, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

function fhir(path: string, request: HttpRequest = {}): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${path}`, request);
}

async function newPatient(): Promise<string> {
  return (await fhir("Patient", { method: "POST", body: JSON.stringify(inventedPatient()) })).json.id;
}

function maritalStatus(patient: string): string {
  const coding = (system: string, code: string) => ({ coding: [{ system, code }] });
  return JSON.stringify({
    resourceType: "Observation",
    meta: { profile: [`${PROFILE_BASE}ee-mpi-socialhistory-marital-status`] },
    status: "final",
    category: [coding("http://terminology.hl7.org/CodeSystem/observation-category", "social-history")],
    code: coding("http://snomed.info/sct", "125680007"),
    subject: { reference: `Patient/${patient}` },
    effectivePeriod: { start: "2015-06-22" },
    issued: "2026-04-01T10:00:00+03:00",
    valueCodeableConcept: coding("http://terminology.hl7.org/CodeSystem/v3-MaritalStatus", "M"),
  });
}

async function create(patient: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return fhir("Observation", { method: "POST", body: maritalStatus(patient), headers });
}

test("an observation is created once under If-None-Exist", async () => {
  const patient = await newPatient();
  const condition = { "if-none-exist": `patient=Patient/${patient}` };
  const first = await create(patient, condition);
  const second = await create(patient, condition);
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.json).toEqual(first.json);
  expect(second.headers.get("location")).toBe(first.headers.get("location"));
});

test("what is wrong with a body under If-None-Exist is placed as without it", async () => {
  const patient = await newPatient();
  const refused = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ ...JSON.parse(maritalStatus(patient)), status: "unknown" });
    const { status, json } = await fhir("Observation", { method: "POST", body, headers });
    return { status, issue: json.issue };
  };
  const { status, issue } = await refused({});
  expect([status, issue[0].expression]).toEqual([400, ["Observation.status"]]);
  expect(await refused({ "if-none-exist": `patient=Patient/${patient}` })).toEqual({ status, issue });
});

describe("references in a body that is created under a condition are those of one without it:", () => {
  const reference = (to: string) => ({ hasMember: [{ reference: to }] });

  it.each([
    ["a URN that no entry of a transaction has", () => reference("urn:oid:1.2.3"), 201],
    [
      "the address of the index",
      (patient: string) => reference(`${service.url}/fhir/Patient/${patient}`),
      201,
    ],
    [
      "a search, which only transactions do",
      (patient: string) => ({ subject: { reference: `Patient?_id=${patient}` } }),
      400,
    ],
  ])("%s", async (_what, changesFor, status) => {
    const patient = await newPatient();
    const body = JSON.stringify({ ...JSON.parse(maritalStatus(patient)), ...changesFor(patient) });
    const condition = `patient=Patient/${patient}&code=another`;
    const answers = [
      await fhir("Observation", { method: "POST", body }),
      await fhir("Observation", { method: "POST", body, headers: { "if-none-exist": condition } }),
      await fhir(`Observation?${condition}`, { method: "PUT", body }),
    ];
    const [alone, ...underCondition] = answers.map(({ status, json }) => {
      const { subject, hasMember, issue } = json;
      return { status, subject, hasMember, issue };
    });
    expect(alone?.status).toBe(status);
    expect(underCondition).toEqual([alone, alone]);
  });
});

test("what fits a query is deleted, once", async () => {
  const patient = await newPatient();
  const { json } = await create(patient);
  const byQuery = () => fhir(`Observation?patient=Patient/${patient}`, { method: "DELETE" });
  const deleted = await byQuery();
  expect([deleted.status, deleted.text, deleted.headers.get("etag")]).toEqual([204, "", 'W/"2"']);
  expect((await fhir(`Observation/${json.id}`)).status).toBe(410);
  const again = await byQuery();
  expect([again.status, again.headers.get("etag")]).toEqual([204, null]);
});

describe("whoever may search and not write is refused", () => {
  const student = { ...doctor, role: "student", scope: "" };
  const nobody = "https://fhir.ee/sid/pid/fin/ni%7Cnobody-at-all";

  it.each<
    [
      what: string,
      path: (patient: string) => string,
      request: (patient: string) => HttpRequest,
      right: string,
    ]
  >([
    [
      "a creation under If-None-Exist that one fits",
      () => "Patient",
      (patient) => ({
        method: "POST",
        body: JSON.stringify(inventedPatient()),
        headers: { "if-none-exist": `_id=${patient}` },
      }),
      "create Patient",
    ],
    [
      "an update by a query that nobody fits, of a body with an id",
      () => `Patient?identifier=${nobody}`,
      (patient) => ({ method: "PUT", body: JSON.stringify({ ...inventedPatient(), id: patient }) }),
      "update Patient",
    ],
    [
      "a deletion by a query that nothing fits",
      (patient) => `RelatedPerson?patient=Patient/${patient}`,
      () => ({ method: "DELETE" }),
      "delete RelatedPerson",
    ],
  ])("%s", async (_what, path, request, right) => {
    const patient = await newPatient();
    const answer = await fhir(path(patient), { ...request(patient), as: student });
    expect([answer.status, codesOf(answer)]).toEqual([403, ["MPI-403"]]);
    expect(answer.json.issue[0].details.text).toContain(right);
  });
});

test("a query that several fit deletes none of them, and no query deletes nothing", async () => {
  const patient = await newPatient();
  await create(patient);
  await create(patient);
  const { status, json } = await fhir(`Observation?patient=Patient/${patient}`, { method: "DELETE" });
  expect([status, json.issue[0].code]).toEqual([412, "multiple-matches"]);
  expect((await fhir("Observation", { method: "DELETE" })).status).toBe(400);
  expect((await fhir(`Observation?patient=Patient/${patient}`)).json.total).toBe(2);
});

describe("of writers who write what lies with one patient by a condition at once", () => {
  const WRITERS = 8;

  const statuses = async (write: () => Promise<string>) =>
    (await Promise.all(Array.from({ length: WRITERS }, write))).sort();

  const others = (status: string) => Array<string>(WRITERS - 1).fill(status);

  const inTransaction = async (patient: string, request: Record<string, string>) => {
    const entry = [{ resource: JSON.parse(maritalStatus(patient)), request }];
    const body = JSON.stringify({ resourceType: "Bundle", type: "transaction", entry });
    const { json } = await fhir("", { method: "POST", body });
    return json.entry?.[0].response.status.slice(0, 3) ?? JSON.stringify(json.issue);
  };

  it("one creates and the others get what it stored, alone", async () => {
    const patient = await newPatient();
    const condition = { "if-none-exist": `patient=Patient/${patient}` };
    const found = await statuses(async () => String((await create(patient, condition)).status));
    expect(found).toEqual([...others("200"), "201"]);
    expect((await fhir(`Observation?patient=Patient/${patient}`)).json.total).toBe(1);
  });

  it("one creates for a patient by an identifier, and the others get what it stored", async () => {
    const { json: patient } = await fhir("Patient", {
      method: "POST",
      body: JSON.stringify(inventedPatient()),
    });
    const [identifier] = patient.identifier;
    const body = JSON.stringify({ ...JSON.parse(maritalStatus("")), subject: { identifier } });
    const headers = { "if-none-exist": `patient.identifier=${identifier.system}|${identifier.value}` };
    const post = async () => String((await fhir("Observation", { method: "POST", body, headers })).status);
    expect(await statuses(post)).toEqual([...others("200"), "201"]);
    expect((await fhir(`Observation?patient=Patient/${patient.id}`)).json.total).toBe(1);
  });

  it("one creates for a linked group by whichever identifier, and the others get what it stored", async () => {
    const group = [await newPatient(), await newPatient()];
    const parameter = ["source", "target"].map((side, place) => ({
      name: `${side}-patient`,
      valueReference: { reference: `Patient/${group[place]}` },
    }));
    const body = JSON.stringify({ resourceType: "Parameters", parameter });
    expect((await fhir("Patient/$link", { method: "POST", body })).status).toBe(200);
    const identifiers = await Promise.all(
      group.map(async (id) => (await fhir(`Patient/${id}`)).json.identifier[0]),
    );
    const [{ system, value }] = identifiers;
    let writers = 0;
    const post = async () => {
      const subject = { identifier: identifiers[writers++ % 2] };
      const observation = JSON.stringify({ ...JSON.parse(maritalStatus("")), subject });
      const headers = { "if-none-exist": `patient.identifier=${system}|${value}` };
      const { status } = await fhir("Observation", { method: "POST", body: observation, headers });
      return String(status);
    };
    expect(await statuses(post)).toEqual([...others("200"), "201"]);
  });

  it("one puts what is not there yet and the others replace it, alone", async () => {
    const patient = await newPatient();
    const url = `Observation?patient=Patient/${patient}`;
    const put = async () => String((await fhir(url, { method: "PUT", body: maritalStatus(patient) })).status);
    expect(await statuses(put)).toEqual([...others("200"), "201"]);
    const { json } = await fhir(url);
    expect([json.total, json.entry[0].resource.meta.versionId]).toEqual([1, String(WRITERS)]);
  });

  it("one creates and the others get what it stored, in transactions", async () => {
    const patient = await newPatient();
    const request = { method: "POST", url: "Observation", ifNoneExist: `patient=Patient/${patient}` };
    expect(await statuses(() => inTransaction(patient, request))).toEqual([...others("200"), "201"]);
    expect((await fhir(`Observation?patient=Patient/${patient}`)).json.total).toBe(1);
  });

  it("one puts what is not there yet and the others replace it, in transactions", async () => {
    const patient = await newPatient();
    const request = { method: "PUT", url: `Observation?patient=Patient/${patient}` };
    expect(await statuses(() => inTransaction(patient, request))).toEqual([...others("200"), "201"]);
    const { json } = await fhir(`Observation?patient=Patient/${patient}`);
    expect([json.total, json.entry[0].resource.meta.versionId]).toEqual([1, String(WRITERS)]);
  });
});

describe("of writers who put the same new person by an identifier at once", () => {
  type Person = Record<string, unknown>;
  type Put = (person: Person, headers?: Record<string, string>) => Promise<string>;

  const byIdentifier = (person: Person) => {
    const [{ system, value }] = person["identifier"] as [{ system: string; value: string }];
    return `Patient?identifier=${system}|${value}`;
  };

  const alone: Put = async (person, headers = {}) =>
    String(
      (await fhir(byIdentifier(person), { method: "PUT", body: JSON.stringify(person), headers })).status,
    );

  const entryOf = (resource: Person, ifNoneMatch?: string) => ({
    resource,
    request: { method: "PUT", url: byIdentifier(resource), ...(ifNoneMatch && { ifNoneMatch }) },
  });

  const transaction = (entry: unknown[]) =>
    fhir("", {
      method: "POST",
      body: JSON.stringify({ resourceType: "Bundle", type: "transaction", entry }),
    });

  const inTransaction: Put = async (person, headers = {}) => {
    const { status, json } = await transaction([entryOf(person, headers["if-none-match"])]);
    return status === 200 ? json.entry[0].response.status.slice(0, 3) : String(status);
  };

  const WRITERS = 8;

  /** What the writers were answered, and the version that is there in the end. */
  async function putAtOnce(put: Put, headers?: Record<string, string>) {
    const person = inventedPatient();
    const statuses = await Promise.all(Array.from({ length: WRITERS }, () => put(person, headers)));
    const { json } = await fhir(byIdentifier(person));
    return { statuses: statuses.sort(), total: json.total, version: json.entry[0].resource.meta.versionId };
  }

  describe.each([
    ["alone", alone],
    ["in transactions", inTransaction],
  ])("%s", (_way, put) => {
    it("one stores and the others replace it", async () => {
      for (let round = 0; round < 3; round += 1) {
        expect(await putAtOnce(put)).toMatchObject({
          statuses: [...Array(WRITERS - 1).fill("200"), "201"],
          total: 1,
        });
      }
    });

    it("one stores and the others are refused under If-None-Match", async () => {
      expect(await putAtOnce(put, { "if-none-match": "*" })).toEqual({
        statuses: ["201", ...Array(WRITERS - 1).fill("412")],
        total: 1,
        version: "1",
      });
    });
  });

  it("in transactions of several people, in whatever order, each person is stored once", async () => {
    const people = [inventedPatient(), inventedPatient(), inventedPatient()];
    const orders = Array.from({ length: WRITERS }, (_, writer) =>
      people.map((_person, at) => people[(writer + at) % people.length] ?? {}),
    );
    const answers = await Promise.all(
      orders.map((order) => transaction(order.map((resource) => entryOf(resource)))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(WRITERS).fill(200));
    const entries: { response: { status: string } }[] = answers.flatMap(({ json }) => json.entry);
    const created = entries.filter(({ response }) => response.status.startsWith("201"));
    expect(created).toHaveLength(people.length);
  });

  it("two entries of one transaction are refused: neither replaces what the other stores", async () => {
    const person = inventedPatient();
    expect((await transaction([entryOf(person), entryOf(person)])).status).toBe(409);
    expect((await fhir(byIdentifier(person))).json.total).toBe(0);
  });
});

describe("in a transaction, If-None-Match with the etag of a version", () => {
  const transaction = (entry: unknown) =>
    fhir("", {
      method: "POST",
      body: JSON.stringify({ resourceType: "Bundle", type: "transaction", entry: [entry] }),
    });
  const statusOf = ({ status, json }: HttpAnswer): string =>
    status === 200 ? json.entry[0].response.status.slice(0, 3) : String(status);

  /** Puts a person by the identifier. */
  async function put(resource: Record<string, unknown>, ifNoneMatch: string, more = {}): Promise<HttpAnswer> {
    const [{ system, value }] = resource["identifier"] as [{ system: string; value: string }];
    const request = { method: "PUT", url: `Patient?identifier=${system}|${value}`, ifNoneMatch, ...more };
    return transaction({ resource, request });
  }

  it("is no matter of somebody who is not there yet, who is created", async () => {
    expect(statusOf(await put(inventedPatient(), 'W/"1"'))).toBe("201");
  });

  it("refuses a write by a query of what is at that version, and of nothing else", async () => {
    const person = inventedPatient();
    await put(person, 'W/"1"');
    const refused = await put(person, 'W/"7", W/"1"');
    expect([refused.status, refused.json.issue[0].expression]).toEqual([412, ["Bundle.entry[0]"]]);
    expect(statusOf(await put(person, 'W/"2"'))).toBe("200");
    expect(statusOf(await put(person, 'W/"1"'))).toBe("200");
    expect(statusOf(await put(person, 'W/"1"', { ifMatch: 'W/"3"' }))).toBe("200");
    expect(statusOf(await put(person, 'W/"1"', { ifMatch: 'W/"3"' }))).toBe("412");
    expect(statusOf(await put(person, "*"))).toBe("412");
  });

  it.each(["1", 'W/"1", 2'])("is refused where it is none, also beside one: %s", async (ifNoneMatch) => {
    const person = inventedPatient();
    const { status, json } = await put(person, ifNoneMatch);
    expect([status, json.issue[0].expression]).toEqual([400, ["Bundle.entry[0].request.ifNoneMatch"]]);
    expect(statusOf(await put(person, "*"))).toBe("201");
  });

  it("refuses a deletion by a query of what is at that version, and of nothing else", async () => {
    const patient = await newPatient();
    await create(patient);
    const remove = (ifNoneMatch: string) =>
      transaction({
        request: { method: "DELETE", url: `Observation?patient=Patient/${patient}`, ifNoneMatch },
      });
    expect(statusOf(await remove('W/"1"'))).toBe("412");
    expect(statusOf(await remove('W/"2"'))).toBe("204");
    expect(statusOf(await remove('W/"2"'))).toBe("204");
  });
});
