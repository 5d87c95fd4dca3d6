import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { doctor } from "../callers.ts";
import { marriageOf } from "../gateway/family.ts";
import { codesOf, type HttpRequest, send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { type RunningService, startService } from "../service.ts";

interface HistoryEntry {
  readonly extension: readonly [{ readonly url: string; readonly extension: readonly object[] }];
}

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

async function newPatient(): Promise<string> {
  const { json } = await fhir("Patient", {
    method: "POST",
    body: inventedPatient(),
  });
  return json.id;
}

function maritalStatus(patient: string, changes: Record<string, unknown> = {}) {
  return marriageOf(`Patient/${patient}`, { effectivePeriod: { start: "2015-06-22" }, ...changes });
}

const create = (patient: string, changes: Record<string, unknown> = {}) =>
  fhir("Observation", { method: "POST", body: maritalStatus(patient, changes) });

describe("Observation over HTTP", () => {
  it("is created, replaced, deleted, and tells its history", async () => {
    const patient = await newPatient();
    const created = await create(patient);
    expect(created).toMatchObject({ status: 201, json: maritalStatus(patient) });
    const path = `Observation/${created.json.id}`;
    const replaced = await fhir(path, {
      method: "PUT",
      body: { ...created.json, note: [{ text: "seen" }] },
      headers: { "if-match": 'W/"1"' },
    });
    expect(replaced).toMatchObject({ status: 200, json: { meta: { versionId: "2" } } });
    expect((await fhir(path, { method: "DELETE" })).status).toBe(204);
    const gone = await fhir(path);
    expect({ status: gone.status, codes: codesOf(gone) }).toEqual({ status: 410, codes: ["MPI-074"] });
    const { json } = await fhir(`${path}/_history?_sort=_lastUpdated`);
    const methods = json.entry.map((entry: { request: { method: string } }) => entry.request.method);
    expect(methods).toEqual(["POST", "PUT", "DELETE"]);
    expect((await fhir(`Observation?patient=${patient}`)).json.total).toBe(0);
  });

  it("tells with each version of its history who made it and why, of a deletion too", async () => {
    const { json: created } = await create(await newPatient());
    const path = `Observation/${created.id}`;
    await fhir(path, { method: "PUT", body: created });
    await fhir(path, { method: "DELETE", headers: { "x-road-issue": "entered in error" } });
    const { json } = await fhir(`${path}/_history`);
    const [deletion, ...before] = json.entry.map(({ extension: [author] }: HistoryEntry) => author);
    expect([deletion, ...before].map(({ url }) => url)).toEqual(
      Array(3).fill("https://fhir.ee/mpi/StructureDefinition/ee-mpi-change-author"),
    );
    expect(deletion.extension).toEqual([
      {
        url: "person",
        valueIdentifier: { system: "https://fhir.ee/sid/pid/est/ni", value: doctor.personalCode },
      },
      {
        url: "organization",
        valueIdentifier: { system: "https://fhir.ee/sid/org/est/br", value: doctor.organization },
      },
      { url: "role", valueCode: doctor.role },
      { url: "reason", valueString: "entered in error" },
    ]);
  });

  it("is refused with 404 under an unknown id, 422 without the relation that it names", async () => {
    const unknown = await fhir("Observation/70001");
    expect({ status: unknown.status, codes: codesOf(unknown) }).toEqual({ status: 404, codes: ["MPI-074"] });
    const patient = await newPatient();
    const alone = await create(patient, { focus: [{ reference: "RelatedPerson/1" }] });
    expect({ status: alone.status, codes: codesOf(alone) }).toEqual({ status: 422, codes: ["MPI-034"] });
  });

  it("is searched by patient and code", async () => {
    const patient = await newPatient();
    const { json: created } = await create(patient);
    const code = encodeURIComponent("http://snomed.info/sct|125680007");
    const found = await fhir(`Observation?patient=Patient/${patient}&code=${code}`);
    expect(found.json).toMatchObject({ total: 1, entry: [{ resource: created }] });
    const others = await fhir(`Observation?subject=Patient/${patient}&code=8625004`);
    expect(others.json.total).toBe(0);
  });

  it("has no feed of all, and says so", async () => {
    const answer = await fhir("Observation/_history");
    expect(answer.status).toBe(404);
    expect(codesOf(answer)).toEqual(["MPI-400"]);
  });
});

describe("the CapabilityStatement", () => {
  it("tells what can be done with the dependents of a patient", async () => {
    const { json } = await fhir("metadata");
    const types = new Map(
      json.rest[0].resource.map((one: { type: string }) => [one.type, one] as const),
    ) as Map<string, { interaction: { code: string }[]; searchParam: { name: string }[] }>;
    const codes = (type: string) => types.get(type)?.interaction.map(({ code }) => code);
    const parameters = (type: string) => types.get(type)?.searchParam.map(({ name }) => name);
    expect(codes("RelatedPerson")).toEqual(
      expect.arrayContaining(["create", "read", "vread", "update", "delete", "history-type"]),
    );
    expect(codes("Observation")).toContain("delete");
    expect(codes("Observation")).not.toContain("history-type");
    expect(codes("Patient")).not.toContain("delete");
    expect(parameters("RelatedPerson")).toEqual(["patient", "patient.identifier", "active"]);
    expect(parameters("Observation")).toContain("code");
  });
});
