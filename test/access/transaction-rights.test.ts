import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contact, maritalStatus } from "../atlas/dependents.ts";
import type { Json } from "../atlas/scenario.ts";
import type { TestCaller } from "../callers.ts";
import { codesOf, type HttpAnswer, send } from "../gateway/http-client.ts";
import { type Records, startRecords } from "./records.ts";

let records: Records;

beforeAll(async () => {
  records = await startRecords();
});

afterAll(() => records.stop());

interface Entry {
  readonly fullUrl?: string;
  readonly request: { readonly method: string; readonly url: string };
  readonly resource?: Json;
}

function transaction(role: string, entry: readonly Entry[]): Promise<HttpAnswer> {
  const as: TestCaller = { personalCode: records.of.own.personalCode, organization: "90001478", role };
  const body = JSON.stringify({ resourceType: "Bundle", type: "transaction", entry });
  return send(`${records.service.url}/fhir/`, { method: "POST", body, as });
}

function reading(url: string): Entry {
  return { request: { method: "GET", url } };
}

function writing(method: string, url: string, resource: Json): Entry {
  return { request: { method, url }, resource };
}

describe("Each entry of a transaction needs the rights that it needs alone:", () => {
  test("those to what it does", async () => {
    const { own } = records.of;
    const entries = [
      reading(`Patient/${own.id}`),
      writing("POST", "RelatedPerson", contact(`Patient/${own.id}`)),
    ];
    const answer = await transaction("student", entries);
    expect([answer.status, codesOf(answer)]).toEqual([403, ["MPI-403"]]);
    expect(answer.json.issue[0].details.text).toContain("create RelatedPerson");
  });

  test("what lacks them is told with the entries that ask for it", async () => {
    const { own } = records.of;
    const creating = writing("POST", "RelatedPerson", contact(`Patient/${own.id}`));
    const removing = { request: { method: "DELETE", url: `RelatedPerson?patient=Patient/${own.id}` } };
    const reads = reading(`Patient/${own.id}`);
    const { json } = await transaction("student", [creating, reads, removing, creating]);
    const issues: { details: { text: string }; expression: string[] }[] = json.issue;
    expect(issues.map(({ expression }) => expression)).toEqual([
      ["Bundle.entry[0]", "Bundle.entry[3]"],
      ["Bundle.entry[2]"],
    ]);
  });

  test("a conditional request alone has no entry to be told with", async () => {
    const { own } = records.of;
    const url = `${records.service.url}/fhir/RelatedPerson?patient=Patient/${own.id}`;
    const as: TestCaller = { personalCode: own.personalCode, organization: "90001478", role: "student" };
    for (const [method, body] of [
      ["PUT", JSON.stringify(contact(`Patient/${own.id}`))],
      ["DELETE", undefined],
    ] as const) {
      const { status, json } = await send(url, { method, as, ...(body !== undefined && { body }) });
      expect([status, json.issue.map((issue: Json) => issue["expression"])]).toEqual([403, [undefined]]);
    }
  });

  test("those to the records that it names", async () => {
    const { own, other } = records.of;
    expect((await transaction("patient", [reading(`Patient/${own.id}`)])).status).toBe(200);
    for (const url of [
      `Patient/${other.id}`,
      `RelatedPerson?patient=Patient/${other.id}`,
      "Patient/999999999",
    ]) {
      const answer = await transaction("patient", [reading(`Patient/${own.id}`), reading(url)]);
      expect([url, answer.status, codesOf(answer)]).toEqual([url, 403, ["MPI-052"]]);
    }
  });

  test("those to what its condition finds", async () => {
    const { own, other } = records.of;
    const active = (id: string) => `RelatedPerson?patient=Patient/${id}&active=true`;
    const body = contact(`Patient/${own.id}`, {
      name: [{ use: "official", family: "Muu", given: ["Nimi"] }],
    });
    expect((await transaction("patient", [writing("PUT", active(own.id), body)])).status).toBe(200);
    const ofOther = await transaction("patient", [writing("PUT", active(other.id), body)]);
    expect([ofOther.status, codesOf(ofOther)]).toEqual([403, ["MPI-052"]]);
    const taken = contact(`Patient/${other.id}`);
    const toOther = await transaction("patient", [writing("PUT", active(own.id), taken)]);
    expect([toOther.status, codesOf(toOther)]).toEqual([403, ["MPI-052"]]);
  });

  test("those to search for what its references name", async () => {
    const { own, other } = records.of;
    for (const personalCode of [other.personalCode, "60001019906"]) {
      const reference = `Patient?identifier=https://fhir.ee/sid/pid/est/ni|${personalCode}`;
      const status = maritalStatus(`Patient/${own.id}`, { focus: [{ reference }] });
      const answer = await transaction("patient", [writing("POST", "Observation", status)]);
      expect([answer.status, codesOf(answer)]).toEqual([403, ["MPI-403"]]);
    }
  });

  test("those to search for the patient with whom it lies, even if that is the caller", async () => {
    const { own, other } = records.of;
    for (const { personalCode, id } of [own, other]) {
      const reference = `Patient?identifier=https://fhir.ee/sid/pid/est/ni|${personalCode}`;
      const entries = [reading(`Patient/${own.id}`), writing("POST", "RelatedPerson", contact(reference))];
      const answer = await transaction("patient", entries);
      expect([answer.status, codesOf(answer)]).toEqual([403, ["MPI-403"]]);
      const [issue] = answer.json.issue;
      expect(issue.details.text).toContain("search Patient");
      expect(issue.expression).toEqual(["Bundle.entry[1]"]);
      const as: TestCaller = { personalCode, organization: "90001478", role: "patient" };
      const trail = `${records.service.url}/fhir/AuditEvent?patient=Patient/${id}&_count=1`;
      const { json } = await send(trail, { as });
      expect(json.entry[0].resource.outcome.detail).toEqual([{ text: "MPI-403 INTERACTION_NOT_ALLOWED" }]);
    }
  });

  test("those to the records that its references come to mean", async () => {
    const { own, other } = records.of;
    const [mine, theirs] = [`Patient/${own.id}`, `Patient/${other.id}`];
    const root = "http://his.example/fhir";
    const replacing = async (address: string, fullUrl: string) => {
      const { json } = await send(`${records.service.url}/fhir/${address}`);
      return { ...writing("PUT", address, json), fullUrl: `${root}/${fullUrl}` };
    };
    const contactOf = (reference: string) => ({
      ...writing("POST", "RelatedPerson", contact(reference)),
      fullUrl: `${root}/RelatedPerson/1`,
    });
    const reached = await transaction("patient", [await replacing(mine, theirs), contactOf(theirs)]);
    expect(reached.json.entry[1].resource.patient.reference).toBe(mine);
    for (const entries of [
      [await replacing(theirs, mine), contactOf(mine)],
      [await replacing(mine, "Patient/x"), contactOf(theirs)],
    ]) {
      const refused = await transaction("patient", entries);
      expect([refused.status, codesOf(refused)]).toEqual([403, ["MPI-052"]]);
    }
  });
});
