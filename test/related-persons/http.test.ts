import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codesOf, type HttpRequest, send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { PID, PROFILE_BASE } from "../patients/examples.ts";
import { type RunningService, startService } from "../service.ts";
import { CONTACT, SPOUSE } from "./examples.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service.stop();
});

function fhir(path: string, { body, ...request }: Omit<HttpRequest, "body"> & { body?: unknown } = {}) {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  return send(`${service.url}/fhir/${path}`, { ...request, ...text });
}

async function newPatient(): Promise<{ id: string; value: string }> {
  const value = randomUUID();
  const { json } = await fhir("Patient", {
    method: "POST",
    body: inventedPatient({ identifier: [{ system: `${PID}/fin/ni`, value }] }),
  });
  return { id: json.id, value };
}

function contact(patient: string, changes: object = {}) {
  return {
    resourceType: "RelatedPerson",
    meta: { profile: [`${PROFILE_BASE}ee-mpi-related-person`] },
    identifier: [{ system: `${PID}/swe/ni`, value: randomUUID() }],
    active: true,
    patient: { reference: `Patient/${patient}` },
    relationship: [CONTACT, SPOUSE],
    name: [{ use: "official", family: "Virtanen", given: ["Matti"] }],
    telecom: [{ system: "phone", value: "+358 40 765 4321" }],
    birthDate: "1991-02-02",
    _birthDate: { extension: [{ url: "https://example.org/accuracy", valueCode: "DAA" }] },
    period: { start: "2015-06-22" },
    ...changes,
  };
}

const create = (patient: string, changes: object = {}, headers: Record<string, string> = {}) =>
  fhir("RelatedPerson", { method: "POST", body: contact(patient, changes), headers });

describe("RelatedPerson over HTTP", () => {
  it("is created and read with its version in the headers", async () => {
    const { id: patient } = await newPatient();
    const created = await create(patient);
    expect(created.status).toBe(201);
    expect(created.headers.get("location")).toBe(
      `${service.url}/fhir/RelatedPerson/${patient}0001/_history/1`,
    );
    expect(created.headers.get("etag")).toBe('W/"1"');
    expect(created.json).toMatchObject({
      ...contact(patient),
      identifier: created.json.identifier,
      id: `${patient}0001`,
      meta: { versionId: "1", lastUpdated: expect.stringMatching(/[+]0[23]:00$/) },
      telecom: [{ system: "phone", value: "+358407654321" }],
    });
    const read = await fhir(`RelatedPerson/${created.json.id}`);
    expect(read).toMatchObject({ status: 200, json: created.json });
    const again = await fhir(`RelatedPerson/${created.json.id}`, {
      headers: { "if-none-match": 'W/"1"' },
    });
    expect(again).toMatchObject({ status: 304, text: "" });
    const version = await fhir(`RelatedPerson/${created.json.id}/_history/1`);
    expect(version).toMatchObject({ status: 200, json: created.json });
  });

  it("is replaced over the version of If-Match, else 412 and nothing is written", async () => {
    const { id: patient } = await newPatient();
    const { json } = await create(patient);
    const put = (etag: string) =>
      fhir(`RelatedPerson/${json.id}`, {
        method: "PUT",
        body: { ...json, gender: "male" },
        headers: { "if-match": etag },
      });
    expect((await put('W/"1"')).json).toMatchObject({ gender: "male", meta: { versionId: "2" } });
    expect((await put('W/"1"')).status).toBe(412);
    expect((await fhir(`RelatedPerson/${json.id}`)).headers.get("etag")).toBe('W/"2"');
  });

  it("is deleted with 204, and then gone with 410", async () => {
    const { id: patient } = await newPatient();
    const { json } = await create(patient);
    const path = `RelatedPerson/${json.id}`;
    const old = await fhir(path, { method: "DELETE", headers: { "if-match": 'W/"9"' } });
    expect(old.status).toBe(412);
    expect(await fhir(path, { method: "DELETE" })).toMatchObject({ status: 204, text: "" });
    expect((await fhir(path, { method: "DELETE" })).status).toBe(204);
    for (const gone of [
      await fhir(path),
      await fhir(`${path}/_history/2`),
      await fhir(path, { method: "PUT", body: json }),
    ]) {
      expect(gone.status).toBe(410);
      expect(codesOf(gone)).toEqual(["MPI-073"]);
      expect(gone.json.issue[0].code).toBe("deleted");
    }
    expect((await fhir(`${path}/_history/1`)).json).toEqual(json);
    const history = await fhir(`${path}/_history`);
    expect(history.json).toMatchObject({ type: "history", total: 2 });
    expect(history.json.entry[0]).toMatchObject({
      fullUrl: `${service.url}/fhir/${path}`,
      request: { method: "DELETE", url: path },
      response: { status: "204", etag: 'W/"2"', lastModified: expect.any(String) },
    });
    expect(history.json.entry[0]).not.toHaveProperty("resource");
    expect(history.json.entry[1]).toMatchObject({ request: { method: "POST" }, resource: json });
  });

  it("is not there under an unknown id, with 404", async () => {
    const { id: patient } = await newPatient();
    for (const path of [`RelatedPerson/${patient}0001`, "RelatedPerson/abc"]) {
      for (const method of ["GET", "DELETE"]) {
        const answer = await fhir(path, { method });
        expect({ status: answer.status, codes: codesOf(answer) }).toEqual({
          status: 404,
          codes: ["MPI-073"],
        });
      }
    }
  });

  it.each([
    ["a patient who is nobody", { patient: { reference: "Patient/99999999" } }, 404, "MPI-021"],
    ["no patient", { patient: undefined }, 400, "MPI-096"],
    ["another kind", { relationship: [{ coding: [{ ...CONTACT.coding[0], code: "NOK" }] }] }, 400, "MPI-018"],
    ["an address", { address: [{ country: "EE" }] }, 400, "MPI-096"],
    ["no profile", { meta: undefined }, 400, "MPI-024"],
  ])("is refused with %s", async (_, changes, status, code) => {
    const { id: patient } = await newPatient();
    const refused = await create(patient, changes);
    expect({ status: refused.status, codes: codesOf(refused) }).toEqual({ status, codes: [code] });
    const nobody = await fhir(`RelatedPerson?patient=${patient}`);
    expect(nobody.json.total).toBe(0);
  });

  it("leaves exactly three of twenty that come at once", async () => {
    const { id: patient } = await newPatient();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(patient)));
    const created = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 422);
    expect([created.length, refused.length]).toEqual([3, 17]);
    expect(new Set(refused.flatMap(codesOf))).toEqual(new Set(["MPI-042"]));
    expect((await fhir(`RelatedPerson?patient=Patient/${patient}`)).json.total).toBe(3);
  });

  it("is reported in the version that the caller asks for", async () => {
    const { json } = await send(`${service.url}/1.1.1/fhir/RelatedPerson/70001`, {
      headers: { "accept-language": "et" },
    });
    expect(json.issue[0].details.coding[0].code).toBe("MPI-400");
  });
});

describe("a search for RelatedPerson over HTTP", () => {
  it("answers with a searchset whose links lead on", async () => {
    const { id: patient, value } = await newPatient();
    const ids = [(await create(patient)).json.id, (await create(patient)).json.id];
    const first = await fhir(
      `RelatedPerson?patient.identifier=${encodeURIComponent(`${PID}/fin/ni|${value}`)}&_count=1`,
    );
    expect(first.json).toMatchObject({ resourceType: "Bundle", type: "searchset", total: 2 });
    expect(first.json.entry).toMatchObject([
      { fullUrl: `${service.url}/fhir/RelatedPerson/${ids[1]}`, search: { mode: "match" } },
    ]);
    const next = first.json.link.find(({ relation }: { relation: string }) => relation === "next");
    const second = await send(next.url);
    expect(second.json.entry[0].resource.id).toBe(ids[0]);
  });

  it("takes the parameters by POST too", async () => {
    const { id: patient } = await newPatient();
    await create(patient);
    const found = await send(`${service.url}/fhir/RelatedPerson/_search`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `patient=Patient%2F${patient}&active=true`,
    });
    expect(found.json.total).toBe(1);
  });

  it("shows the elements of a summary, and counts", async () => {
    const { id: patient } = await newPatient();
    await create(patient);
    const summary = await fhir(`RelatedPerson?patient=${patient}&_summary=true`);
    const [{ resource }] = summary.json.entry;
    expect(resource).not.toHaveProperty("period");
    expect(resource.patient).toEqual({ reference: `Patient/${patient}` });
    const count = await fhir(`RelatedPerson?patient=${patient}&_summary=count`);
    expect(count.json).toMatchObject({ total: 1 });
    expect(count.json).not.toHaveProperty("entry");
  });
});

describe("RelatedPerson/_history", () => {
  it("is the feed of all contact persons, deletions included", async () => {
    const { id: patient } = await newPatient();
    const { json } = await create(patient);
    await fhir(`RelatedPerson/${json.id}`, { method: "DELETE" });
    const feed = await fhir("RelatedPerson/_history?_count=2");
    expect(feed.status).toBe(200);
    const shown = feed.json.entry.map((entry: { request: object; fullUrl: string }) => [
      entry.request,
      entry.fullUrl,
    ]);
    const fullUrl = `${service.url}/fhir/RelatedPerson/${json.id}`;
    expect(shown).toEqual([
      [{ method: "DELETE", url: `RelatedPerson/${json.id}` }, fullUrl],
      [{ method: "POST", url: "RelatedPerson" }, fullUrl],
    ]);
    const patients = await fhir("Patient/_history?_count=100");
    expect(
      patients.json.entry.every(
        ({ resource }: { resource: { resourceType: string } }) => resource.resourceType === "Patient",
      ),
    ).toBe(true);
  });
});
