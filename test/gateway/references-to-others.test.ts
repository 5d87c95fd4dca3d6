import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../service.ts";
import { marriageOf, spouseOf } from "./family.ts";
import { type HttpAnswer, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

type Json = Record<string, unknown>;

const PUBLIC_URL = "https://mpi.example.ee";
const ISSUE = { "x-road-issue": "visit 1" };

let service: RunningService;
let base: string;
let id: string;

beforeAll(async () => {
  service = await startService({ publicUrl: PUBLIC_URL });
  base = `${service.url}/fhir`;
  id = (await post("Patient", inventedPatient())).json.id;
});

afterAll(() => service.stop());

function post(path: string, body: Json): Promise<HttpAnswer> {
  return send(`${base}/${path}`, { method: "POST", body: JSON.stringify(body) });
}

function transaction(...entry: Json[]): Promise<HttpAnswer> {
  return post("", { resourceType: "Bundle", type: "transaction", entry });
}

function creation(resource: Json, fullUrl?: string): Json {
  return { fullUrl, resource, request: { method: "POST", url: resource["resourceType"] } };
}

function link(source: string, target: string): Promise<HttpAnswer> {
  const parameter = Object.entries({ source, target }).map(([side, reference]) => ({
    name: `${side}-patient`,
    valueReference: { reference },
  }));
  return post("Patient/$link", { resourceType: "Parameters", parameter });
}

function issuesOf({ status, json }: HttpAnswer): unknown[] {
  const issues: { details: { coding: { code: string }[] }; expression: string[] }[] = json.issue;
  return [status, ...issues.map((one) => `${one.details.coding[0]?.code} ${one.expression.join()}`)];
}

/** What ends like the address of a patient of the index, and is another server's or nothing. */
const FOREIGN = [
  "http://other.example/fhir/Patient/{id}",
  "https://mpi.example.ee.other.example/fhir/Patient/{id}",
  `${PUBLIC_URL}/other/Patient/{id}`,
  `${PUBLIC_URL}/9.9.9/fhir/Patient/{id}`,
  `${PUBLIC_URL}/fhir/x/../Patient/{id}`,
  `${PUBLIC_URL}/fhir/Patient/{id}?x=y`,
  "https://example.org/x?y=/Patient/{id}",
  "../Patient/{id}",
  "/Patient/{id}",
];
const foreign = FOREIGN.map((reference) => [reference] as const);

/** Every address of a patient of the index. */
function ownAddresses(patient: string): string[] {
  const { host } = new URL(service.url);
  return [
    `Patient/${patient}`,
    `Patient/${patient}/_history/1`,
    `${base}/Patient/${patient}`,
    `${service.url}/1.1.1/fhir/Patient/${patient}/_history/1`,
    `HTTPS://${host}/1.5.0/fhir/Patient/${patient}`,
    `${PUBLIC_URL}/fhir/Patient/${patient}`,
    `https://MPI.example.ee:443/1.1.1/fhir/Patient/${patient}`,
  ];
}

describe.each(foreign)("%s is no patient of the index", (template) => {
  const reference = () => template.replace("{id}", id);

  it("in a contact person or an observation, alone (MPI-096)", async () => {
    expect(issuesOf(await post("RelatedPerson", spouseOf(reference())))).toEqual([
      400,
      "MPI-096 RelatedPerson.patient",
    ]);
    expect(issuesOf(await post("Observation", marriageOf(reference())))).toEqual([
      400,
      "MPI-096 Observation.subject",
    ]);
  });

  it("in a contact person or an observation of a transaction (MPI-096)", async () => {
    const answer = await transaction(
      creation(spouseOf(reference()), "http://his.example/fhir/RelatedPerson/7"),
      creation(marriageOf(reference())),
    );
    expect(issuesOf(answer)).toEqual([
      400,
      "MPI-096 Bundle.entry[0].resource.patient",
      "MPI-096 Bundle.entry[1].resource.subject",
    ]);
  });

  it("in searches, conditions and operations (MPI-021)", async () => {
    const query = `patient=${encodeURIComponent(reference())}`;
    const nobody = [404, "MPI-021 http.patient"];
    for (const path of [`RelatedPerson?${query}`, `Observation?${query}`]) {
      expect([path, ...issuesOf(await send(`${base}/${path}`))]).toEqual([path, ...nobody]);
    }
    const operation = await send(`${base}/Patient/$education?${query}`, { headers: ISSUE });
    expect(issuesOf(operation)).toEqual(nobody);
    const deletion = await send(`${base}/RelatedPerson?${query}`, { method: "DELETE" });
    expect(issuesOf(deletion)).toEqual(nobody);
    const entry = { request: { method: "DELETE", url: `RelatedPerson?${query}` } };
    expect(issuesOf(await transaction(entry))).toEqual([404, "MPI-021 Bundle.entry[0].request.url"]);
  });

  it("in $link (MPI-096)", async () => {
    const other = (await post("Patient", inventedPatient())).json.id;
    const path = "Parameters.parameter.where(name='source-patient').value";
    expect(issuesOf(await link(reference(), `Patient/${other}`))).toEqual([400, `MPI-096 ${path}`]);
  });
});

describe("a patient of the index, by an address below the base of the request or the public one,", () => {
  it("has contact persons and observations, which name it by its relative address", async () => {
    const patient = (await post("Patient", inventedPatient())).json.id;
    for (const reference of ownAddresses(patient)) {
      const alone = [
        await post("RelatedPerson", spouseOf(reference)),
        await post("Observation", marriageOf(reference)),
      ].map(({ json }) => (json.patient ?? json.subject)?.reference);
      const { json } = await transaction(creation(spouseOf(reference)), creation(marriageOf(reference)));
      const [spouse, marriage] = json.entry ?? [];
      const together = [spouse?.resource.patient.reference, marriage?.resource.subject.reference];
      expect([reference, ...alone, ...together]).toEqual([
        reference,
        ...Array.from({ length: 4 }, () => `Patient/${patient}`),
      ]);
    }
  });

  it("is read so in XML, in a batch, in a change and in a validation too", async () => {
    const reference = `${PUBLIC_URL}/fhir/Patient/${id}`;
    const contact = await post("RelatedPerson", spouseOf(reference));
    const url = `${base}/RelatedPerson/${contact.json.id}`;
    const xml = (await send(url, { headers: { accept: "application/fhir+xml" } })).text.replace(
      `"Patient/${id}"`,
      `"${reference}"`,
    );
    expect(xml).toContain(reference);
    const headers = { "content-type": "application/fhir+xml" };
    const changed = await send(url, { method: "PUT", body: xml, headers });
    expect([changed.status, changed.json.patient.reference]).toEqual([200, `Patient/${id}`]);
    const entry = [creation(spouseOf(reference))];
    const batch = await post("", { resourceType: "Bundle", type: "batch", entry });
    expect(batch.json.entry[0].resource.patient.reference).toBe(`Patient/${id}`);
    const validation = await post("RelatedPerson/$validate", spouseOf(reference));
    expect(validation.json.issue[0].severity).toBe("information");
  });

  it("is found by searches, conditions and operations", async () => {
    const patient = (await post("Patient", inventedPatient())).json.id;
    const [first, ...others] = ownAddresses(patient);
    const spouse = spouseOf(first ?? "");
    const contact = (await post("RelatedPerson", spouse)).json.id;
    for (const reference of others) {
      const query = `patient=${encodeURIComponent(reference)}`;
      const found = await send(`${base}/RelatedPerson?${query}`);
      expect([reference, found.json.entry?.[0].resource.id]).toEqual([reference, contact]);
      const operation = await send(`${base}/Patient/$education?${query}`, { headers: ISSUE });
      expect(issuesOf(operation)).toEqual([422, "MPI-022 http.patient"]);
      const condition = { method: "POST", url: "RelatedPerson", ifNoneExist: query };
      const { json } = await transaction({ resource: spouse, request: condition });
      expect(json.entry[0].response.status).toBe("200 OK");
    }
    const deletion = `${base}/RelatedPerson?patient=${encodeURIComponent(others.at(-1) ?? "")}`;
    expect((await send(deletion, { method: "DELETE" })).status).toBe(204);
    expect((await send(`${base}/RelatedPerson/${contact}`)).status).toBe(410);
  });

  it("is linked", async () => {
    for (const addressesOf of [0, 1, 2, 3, 4, 5, 6]) {
      const [source, target] = [
        (await post("Patient", inventedPatient())).json.id,
        (await post("Patient", inventedPatient())).json.id,
      ];
      const answer = await link(
        ownAddresses(source)[addressesOf] ?? "",
        ownAddresses(target)[addressesOf] ?? "",
      );
      expect([answer.status, answer.json.id]).toEqual([200, target]);
    }
  });

  it("is meant in an entry with a full URL of another server, where a relative reference is to that server's", async () => {
    const root = "http://his.example/fhir";
    const answer = await transaction(
      creation(inventedPatient(), `${root}/Patient/${id}`),
      creation(spouseOf(`${base}/Patient/${id}`), `${root}/RelatedPerson/7`),
      creation(spouseOf(`Patient/${id}`), `${root}/RelatedPerson/8`),
    );
    const [created, ours, theirs] = answer.json.entry;
    expect(ours.resource.patient.reference).toBe(`Patient/${id}`);
    expect(theirs.resource.patient.reference).toBe(`Patient/${created.resource.id}`);
  });

  it("is named so in a conditional reference", async () => {
    const patient = (await post("Patient", inventedPatient())).json.id;
    const contact = (await post("RelatedPerson", spouseOf(`Patient/${patient}`))).json.id;
    const focusOn = (address: string) => {
      const reference = `RelatedPerson?patient=${address}`;
      return creation(marriageOf(`Patient/${patient}`, { focus: [{ reference }] }));
    };
    const { json } = await transaction(focusOn(`${base}/Patient/${patient}`));
    expect(json.entry[0].resource.focus).toEqual([{ reference: `RelatedPerson/${contact}` }]);
    const refused = await transaction(focusOn(`http://other.example/fhir/Patient/${patient}`));
    expect(refused.status).toBe(404);
  });

  it("is the new patient of a transaction where that has the address for its full URL", async () => {
    const answer = await transaction(
      creation(inventedPatient(), `${base}/Patient/${id}`),
      creation(spouseOf(`${base}/Patient/${id}`)),
    );
    const [created, contact] = answer.json.entry;
    expect(contact.resource.patient.reference).toBe(`Patient/${created.resource.id}`);
  });
});

describe("the other person of a marital status", () => {
  it("is a relation of the patient by its address here, not by one that ends like it (MPI-034)", async () => {
    const contact = (await post("RelatedPerson", spouseOf(`Patient/${id}`))).json.id;
    const focusOn = (reference: string) => marriageOf(`Patient/${id}`, { focus: [{ reference }] });
    const stored = await post("Observation", focusOn(`${PUBLIC_URL}/fhir/RelatedPerson/${contact}`));
    expect(stored.json.focus).toEqual([{ reference: `RelatedPerson/${contact}` }]);
    const refused = await post("Observation", focusOn(`http://other.example/fhir/RelatedPerson/${contact}`));
    expect(issuesOf(refused)).toEqual([422, "MPI-034 Observation.focus[0]"]);
  });
});
