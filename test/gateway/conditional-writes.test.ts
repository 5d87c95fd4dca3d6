import { afterAll, beforeAll, expect, test } from "vitest";
import { PROFILE_BASE } from "../patients/examples.ts";
import { type RunningService, startService } from "../service.ts";
import { type HttpAnswer, type HttpRequest, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

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

test("a query that several fit deletes none of them, and no query deletes nothing", async () => {
  const patient = await newPatient();
  await create(patient);
  await create(patient);
  const { status, json } = await fhir(`Observation?patient=Patient/${patient}`, { method: "DELETE" });
  expect([status, json.issue[0].code]).toEqual([412, "multiple-matches"]);
  expect((await fhir("Observation", { method: "DELETE" })).status).toBe(400);
  expect((await fhir(`Observation?patient=Patient/${patient}`)).json.total).toBe(2);
});
