import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../../service.ts";
import { marriageOf, spouseOf } from "../../family.ts";
import { codesOf, type HttpAnswer, send } from "../../http-client.ts";
import { inventedPatient } from "../../invented-patient.ts";

type Json = Record<string, unknown>;
type Stored = Json & { readonly id: string };

const root = "http://his.example/fhir";

let service: RunningService;
let base: string;

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
});

afterAll(() => service.stop());

function transaction(entry: readonly Json[]): Promise<HttpAnswer> {
  return send(base, {
    method: "POST",
    body: JSON.stringify({ resourceType: "Bundle", type: "transaction", entry }),
  });
}

async function stored(resource: Json = inventedPatient()): Promise<Stored> {
  const body = JSON.stringify(resource);
  return (await send(`${base}/${resource["resourceType"]}`, { method: "POST", body })).json;
}

function creation(resource: Json, fullUrl?: string): Json {
  return { fullUrl, resource, request: { method: "POST", url: resource["resourceType"] } };
}

/** A creation of a patient who is there already. */
function conditional(known: Stored, fullUrl: string): Json {
  const request = { method: "POST", url: "Patient", ifNoneExist: `_id=${known.id}` };
  return { fullUrl, resource: inventedPatient(), request };
}

function replacement(patient: Stored, fullUrl: string): Json {
  return { fullUrl, resource: patient, request: { method: "PUT", url: `Patient/${patient.id}` } };
}

const statuses = ({ json }: HttpAnswer) =>
  json.entry.map(({ response }: { response: { status: string } }) => response.status.slice(0, 3));
const expressions = ({ json }: HttpAnswer) =>
  json.issue.flatMap(({ expression }: { expression: string[] }) => expression);

describe("a transaction with full URLs of the index, of no server, or without any", () => {
  test("means the patients of the index by relative references to no entry", async () => {
    const { id } = await stored();
    const answer = await transaction([
      creation(inventedPatient(), `${root}/Patient/${id}`),
      creation(spouseOf(`Patient/${id}`), `${base}/RelatedPerson/7`),
      creation(spouseOf(`Patient/${id}`), `${service.url}/1.1.1/fhir/RelatedPerson/8`),
      creation(marriageOf(`Patient/${id}/_history/1`), `urn:uuid:${randomUUID()}`),
      creation(spouseOf(`Patient/${id}`)),
    ]);
    const named = answer.json.entry.map(
      ({ resource }: { resource: { patient?: Json; subject?: Json } }) =>
        (resource.patient ?? resource.subject)?.["reference"],
    );
    expect(named.slice(1)).toEqual(Array.from({ length: 4 }, () => `Patient/${id}`));
  });
});

describe("a transaction with full URLs of another server", () => {
  test("stores contact persons with the new patient that they mean, not with the one who has that id here", async () => {
    const unrelated = await stored();
    const meant = `Patient/${unrelated.id}`;
    for (const reference of [meant, `${meant}/_history/3`, `${root}/${meant}/_history/3`]) {
      const answer = await transaction([
        creation(spouseOf(reference), `${root}/RelatedPerson/7`),
        creation(marriageOf(reference), `${root}/Observation/8`),
        creation(inventedPatient(), `${root}/${meant}`),
      ]);
      expect(statuses(answer)).toEqual(["201", "201", "201"]);
      const [spouse, marriage, patient] = answer.json.entry;
      expect(spouse.resource.patient.reference).toBe(`Patient/${patient.resource.id}`);
      expect(marriage.resource.subject.reference).toBe(`Patient/${patient.resource.id}`);
      expect(patient.resource.id).not.toBe(unrelated.id);
    }
    expect((await send(`${base}/RelatedPerson?patient=${meant}`)).json.total).toBe(0);
  });

  test("stores a contact person with the patient that an update or a condition finds", async () => {
    const unrelated = await stored();
    const [known, changed] = [await stored(), await stored()];
    const answer = await transaction([
      replacement(changed, `${root}/Patient/${unrelated.id}`),
      creation(spouseOf(`Patient/${unrelated.id}`), `${root}/RelatedPerson/7`),
      conditional(known, `${root}/Patient/x`),
      creation(spouseOf("Patient/x"), `${root}/RelatedPerson/8`),
    ]);
    expect(statuses(answer)).toEqual(["200", "201", "200", "201"]);
    const [, ofChanged, , ofKnown] = answer.json.entry;
    expect(ofChanged.resource.patient.reference).toBe(`Patient/${changed.id}`);
    expect(ofKnown.resource.patient.reference).toBe(`Patient/${known.id}`);
  });

  test("knows an address in whatever letters its scheme and host are written", async () => {
    const unrelated = await stored();
    const loud = "HTTP://HIS.example:80/fhir";
    const answer = await transaction([
      creation(inventedPatient(), `${loud}/Patient/${unrelated.id}`),
      creation(spouseOf(`Patient/${unrelated.id}`), `${loud}/RelatedPerson/7`),
      creation(spouseOf(`${root}/Patient/${unrelated.id}`), "urn:uuid:8d5ac0dd-9d83-4ed5-9f3d-1cb4b8ef3b05"),
      creation(spouseOf(`Patient/${unrelated.id}`), `${root}/RelatedPerson/9`),
    ]);
    expect(statuses(answer)).toEqual(["201", "201", "201", "201"]);
    const [{ resource: patient }, ...spouses] = answer.json.entry;
    for (const { resource } of spouses) {
      expect(resource.patient.reference).toBe(`Patient/${patient.id}`);
    }
    const twice = await transaction([
      creation(inventedPatient(), `${root}/Patient/1`),
      creation(inventedPatient(), `${loud}/Patient/1`),
    ]);
    expect(expressions(twice)).toEqual(["Bundle.entry[1].fullUrl"]);
  });

  test("means the patients of the index by absolute references, in whatever letters", async () => {
    const { id } = await stored();
    const loud = base.replace("http://", "HTTP://");
    const answer = await transaction([
      creation(spouseOf(`${loud}/Patient/${id}`), `${root}/RelatedPerson/7`),
      creation(spouseOf(`Patient/${id}`), `${loud}/RelatedPerson/8`),
    ]);
    expect(statuses(answer)).toEqual(["201", "201"]);
    for (const { resource } of answer.json.entry) expect(resource.patient.reference).toBe(`Patient/${id}`);
  });

  test("refuses contact persons and observations of whoever has that id there, and is no entry (MPI-096)", async () => {
    const { id } = await stored();
    const answer = await transaction([
      creation(inventedPatient(), `${root}/Patient/none-${id}`),
      creation(spouseOf(`Patient/${id}`), `${root}/RelatedPerson/7`),
      creation(inventedPatient(), `http://other.example/fhir/Patient/${id}`),
      creation(marriageOf(`Patient/${id}/_history/1`), `${root}/Observation/8`),
      creation(spouseOf(`Patient/${id}`)),
    ]);
    expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-096", "MPI-096"]]);
    expect(expressions(answer)).toEqual([
      "Bundle.entry[1].resource.patient",
      "Bundle.entry[3].resource.subject",
    ]);
    expect((await send(`${base}/RelatedPerson?patient=${id}`)).json.total).toBe(0);
  });

  test("knows nobody there as the other person of a marital status (MPI-034)", async () => {
    const patient = `Patient/${(await stored()).id}`;
    const contact = await stored(spouseOf(patient));
    const focus = [{ reference: `RelatedPerson/${contact.id}` }];
    const answer = await transaction([
      creation(marriageOf(`${base}/${patient}`, { focus }), `${root}/Observation/8`),
    ]);
    expect([codesOf(answer), expressions(answer)]).toEqual([
      ["MPI-034"],
      ["Bundle.entry[0].resource.focus[0]"],
    ]);
  });

  test("leaves what a patch finds with the patient of the index", async () => {
    const patient = `Patient/${(await stored()).id}`;
    const contact = `RelatedPerson/${(await stored(spouseOf(patient))).id}`;
    const operations = [{ op: "add", path: "/gender", value: "other" }];
    const data = Buffer.from(JSON.stringify(operations)).toString("base64");
    const resource = { resourceType: "Binary", contentType: "application/json-patch+json", data };
    for (const fullUrl of [`${root}/${contact}`, `${root}/Binary/1`, `urn:uuid:${randomUUID()}`]) {
      const { json } = await transaction([
        creation(inventedPatient(), `${root}/${patient}`),
        { fullUrl, resource, request: { method: "PATCH", url: contact } },
      ]);
      expect([fullUrl, json.entry?.[1].resource.patient]).toEqual([fullUrl, { reference: patient }]);
    }
  });

  test("means what a patch changes by the URN that the patch is given", async () => {
    const patient = `Patient/${(await stored()).id}`;
    const data = Buffer.from('[{"op":"replace","path":"/gender","value":"other"}]').toString("base64");
    const resource = { resourceType: "Binary", contentType: "application/json-patch+json", data };
    const fullUrl = `urn:uuid:${randomUUID()}`;
    const { json } = await transaction([
      creation(spouseOf(fullUrl)),
      { fullUrl, resource, request: { method: "PATCH", url: patient } },
    ]);
    expect(json.entry?.[0].resource.patient).toEqual({ reference: patient });
  });

  test("keeps what else refers to there, with the address there", async () => {
    const valueReference = { reference: "Organization/5/_history/2" };
    const extension = [{ url: "https://example.org/told-by", valueReference }];
    const answer = await transaction([creation(inventedPatient({ extension }), `${root}/Patient/7`)]);
    expect(answer.json.entry[0].resource.extension[0].valueReference).toEqual({
      reference: `${root}/Organization/5/_history/2`,
    });
  });

  test("keeps the version in a reference to what keeps its id, and in no other", async () => {
    const patient = await stored();
    const { id } = patient;
    const referring = (reference: string) => ({
      extension: [{ url: "https://example.org/seen", valueReference: { reference } }],
    });
    const answer = await transaction([
      replacement(patient, `${root}/Patient/${id}`),
      creation(spouseOf(`Patient/${id}`, referring(`Patient/${id}/_history/1`)), `${root}/RelatedPerson/7`),
      creation(inventedPatient(), `${root}/Patient/new`),
      creation(spouseOf("Patient/new", referring("Patient/new/_history/9")), `${root}/RelatedPerson/8`),
    ]);
    const [, ofKnown, created, ofCreated] = answer.json.entry;
    expect(ofKnown.resource.extension).toEqual(referring(`Patient/${id}/_history/1`).extension);
    expect(ofCreated.resource.extension).toEqual(referring(`Patient/${created.resource.id}`).extension);
  });

  test("names the entry that failed, not what refers to it", async () => {
    const taken = await stored();
    const answer = await transaction([
      creation({ ...inventedPatient(), identifier: taken["identifier"] }, `${root}/Patient/999999`),
      creation(spouseOf("Patient/999999"), `${root}/RelatedPerson/7`),
    ]);
    expect(expressions(answer)).toEqual(["Bundle.entry[0].resource.identifier"]);
  });

  test("refuses a reference to what is stored later, whose id is not known yet", async () => {
    const contact = await stored(spouseOf(`Patient/${(await stored()).id}`));
    const reference = `RelatedPerson/${contact.id}`;
    const extension = [{ url: "https://example.org/told-by", valueReference: { reference } }];
    const answer = await transaction([
      creation(inventedPatient({ extension }), `${root}/Patient/1`),
      creation(spouseOf("Patient/1"), `${root}/${reference}`),
    ]);
    expect(expressions(answer)).toEqual(["Bundle.entry[0].resource.extension[0].value"]);
  });

  test("names an unresolved reference in a contained resource by its path in FHIR", async () => {
    const organization = {
      resourceType: "Organization",
      id: "o",
      partOf: { reference: `urn:uuid:${randomUUID()}` },
    };
    const answer = await transaction([creation(inventedPatient({ contained: [organization] }))]);
    const path = "Bundle.entry[0].resource.contained[0].partOf";
    expect(expressions(answer)).toEqual([path]);
    expect(answer.json.issue[0].details.text).toContain(" Patient.contained[0].partOf ");
  });

  test("does not mind links between new patients, which are not taken over", async () => {
    const linkedWith = (id: string) =>
      inventedPatient({ link: [{ other: { reference: `Patient/${id}` }, type: "seealso" }] });
    const answer = await transaction([
      creation(linkedWith("2"), `${root}/Patient/1`),
      creation(linkedWith("1"), `${root}/Patient/2`),
    ]);
    expect(statuses(answer)).toEqual(["201", "201"]);
  });
});

describe("a reference by a search that is refused", () => {
  test("is told beside all else that is wrong with its entry, wherever it stands", async () => {
    const referring = [1, 2].map((n) => ({
      url: `https://example.org/referred-by-${n}`,
      valueReference: { reference: "Patient?identifier=https://example.org/unknown|1" },
    }));
    const { id } = await stored();
    const contact = spouseOf(`Patient/${id}`, {
      extension: referring,
      telecom: [{ system: "fax", value: "1" }],
    });
    const answer = await transaction([creation(contact)]);
    expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-015", "MPI-015", "MPI-008"]]);
    expect(expressions(answer)).toEqual([
      "Bundle.entry[0].resource.extension[0].value",
      "Bundle.entry[0].resource.extension[1].value",
      "Bundle.entry[0].resource.telecom[0].system",
    ]);
  });
});
