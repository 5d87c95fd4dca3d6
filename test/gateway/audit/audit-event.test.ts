import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callerHeaders, doctor, type TestCaller } from "../../callers.ts";
import { type GrpcClients, grpcClients } from "../../clients.ts";
import { PID } from "../../patients/examples.ts";
import type { RunningService } from "../../service.ts";
import { codesOf, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";
import { RR } from "../registers/register-answers.ts";
import { type AuditedPatient, auditedPatient, eventsOf, patient, personalCode } from "./audited-patient.ts";

let clients: GrpcClients;
let id: string;
let service: RunningService;
let get: AuditedPatient["get"];
let trail: AuditedPatient["trail"];
let latest: AuditedPatient["latest"];

beforeAll(async () => {
  ({ service, id, get, trail, latest } = await auditedPatient());
  clients = grpcClients(service.grpcPort);
});

afterAll(async () => {
  clients.close();
  await service.stop();
});

describe("AuditEvent", () => {
  it("shows who, for whom, why, what and when", async () => {
    const events = eventsOf(await trail("&_count=100"));
    const created = events.find(({ action }) => action === "C");
    expect(created).toEqual({
      resourceType: "AuditEvent",
      id: `${id}-1`,
      category: [
        {
          coding: [{ system: "http://terminology.hl7.org/CodeSystem/audit-event-type", code: "rest" }],
          text: "RESTful Operation",
        },
      ],
      code: {
        coding: [{ system: "http://hl7.org/fhir/restful-interaction", code: "operation" }],
        text: "PatientLookupService/LookupPatients",
      },
      action: "C",
      recorded: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0[23]:00$/),
      outcome: { code: { system: "http://hl7.org/fhir/issue-severity", code: "success" } },
      authorization: [{ text: "käsitlus 17" }],
      patient: { reference: `Patient/${id}` },
      agent: [
        {
          type: agentType("AUT"),
          role: [{ text: "doctor" }],
          who: {
            identifier: { system: `${PID}/est/ni`, value: doctor.personalCode },
            display: doctor.name,
          },
          requestor: true,
        },
        {
          type: agentType("CST"),
          who: { identifier: { system: "https://fhir.ee/sid/org/est/br", value: doctor.organization } },
          requestor: false,
        },
        { type: agentType("DEV"), who: { display: doctor.application }, requestor: false },
        {
          type: agentType("AUT"),
          who: { identifier: { system: "urn:ietf:rfc:3986", value: RR } },
          requestor: false,
        },
      ],
      source: { observer: { display: "Master patient index" } },
      entity: [
        { what: { reference: `Patient/${id}` } },
        {
          what: { identifier: { value: expect.any(String) } },
          role: expect.objectContaining({ text: "X-Request-Id" }),
        },
      ],
    });
  });

  it.each([
    ["a read", () => get(`Patient/${id}`), "R", "read", "PatientService/ReadPatient"],
    ["a version", () => get(`Patient/${id}/_history/1`), "R", "vread", "PatientService/ReadPatientVersion"],
    [
      "a history",
      () => get(`Patient/${id}/_history`),
      "R",
      "history-instance",
      "PatientService/ListPatientHistory",
    ],
    [
      "the change feed",
      () => get("Patient/_history"),
      "R",
      "history-type",
      "PatientService/ListPatientChanges",
    ],
    [
      "a search that finds the patient",
      () => get(`Patient?identifier=${PID}/est/ni|${personalCode}`),
      "E",
      "search-type",
      "PatientService/SearchPatients",
    ],
    [
      "a search for contacts of whom there are none",
      () => get(`RelatedPerson?patient=Patient/${id}`),
      "E",
      "search-type",
      "RelatedPersonService/SearchRelatedPersons",
    ],
    [
      "an operation whose answer names nobody",
      () => get(`Patient/$legal-status?patient=Patient/${id}`, { "x-road-issue": "visit" }),
      "R",
      "operation",
      "SocialHistoryService/ListLegalStatuses",
    ],
    [
      "a read over gRPC",
      () => clients.patients.readPatient({ id }),
      "R",
      "read",
      "PatientService/ReadPatient",
    ],
  ])("shows %s", async (_what, call, action, interaction, method) => {
    await call();
    const event = await latest();
    expect(event).toMatchObject({ action, code: { text: method, coding: [{ code: interaction }] } });
    expect(event.outcome.code.code).toBe("success");
  });

  it("shows a write once", async () => {
    const { json } = await get(`Patient/${id}`);
    const body = JSON.stringify({ ...json, language: "et" });
    expect((await send(`${service.url}/fhir/Patient/${id}`, { method: "PUT", body })).status).toBe(200);
    const [first, second] = eventsOf(await trail()).filter(({ code }) => !/Audit/.test(code.text));
    expect(first).toMatchObject({ action: "U", code: { text: "PatientService/UpdatePatient" } });
    expect(second).toMatchObject({ code: { text: "PatientService/ReadPatient" } });
  });

  it("shows what is refused, with its code", async () => {
    await get(`Patient/${id}`, { authorization: "Bearer forged" });
    const event = await latest();
    expect(event).toMatchObject({
      outcome: { code: { code: "error" } },
      agent: [{ who: { display: "Unknown caller" } }],
    });
    expect(event.outcome.detail?.[0]?.text).toMatch(/^MPI-400 /);
    await get(`Patient/${id}/_history/99`);
    expect((await latest()).outcome.detail).toEqual([{ text: "MPI-079 HISTORY_ENTRY_NOT_FOUND" }]);
  });

  it.each<[string, string, Record<string, string | undefined>]>([
    ["MPI-400", "whom the headers name another", { "x-road-userid": "EE46602140023" }],
    ["MPI-062", "with an author of another code", { "x-author-id": "46602140023" }],
    ["MPI-028", "whose author is empty", { "x-author-id": "" }],
    ["MPI-060", "whom no header names", { "x-road-userid": undefined }],
    ["MPI-061", "without a request id", { "x-road-id": undefined }],
  ])("shows who was refused with %s: somebody %s", async (code, _what, changes) => {
    const own = await callerHeaders(service.url);
    const given = Object.entries({ ...own, "x-road-issue": "visit", ...changes });
    const headers = Object.fromEntries(
      given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const refused = await send(`${service.url}/fhir/Patient/${id}`, { as: "nobody", headers });
    const event = await latest();
    expect(event).toMatchObject({
      outcome: { code: { code: "error" } },
      authorization: [{ text: "visit" }],
      agent: [
        {
          who: { identifier: { value: doctor.personalCode }, display: doctor.name },
          role: [{ text: "doctor" }],
          requestor: true,
        },
        { who: { identifier: { value: doctor.organization } } },
        { who: { display: doctor.application } },
      ],
    });
    expect(event.outcome.detail?.[0]?.text).toContain(code);
    expect(codesOf(refused)).toEqual([code]);
  });

  it("shows what is known of somebody whose token says too little", async () => {
    const { personalCode: _, role: __, ...rest } = doctor;
    await send(`${service.url}/fhir/Patient/${id}`, { as: { ...rest, personalCode: "", role: "" } });
    const { agent } = await latest();
    expect(agent).toEqual([
      { type: agentType("IRCP"), who: { display: doctor.name }, requestor: true },
      expect.objectContaining({ who: expect.objectContaining({ identifier: expect.anything() }) }),
      { type: agentType("DEV"), who: { display: doctor.application }, requestor: false },
    ]);
  });

  it("names the person represented where they were, and to nobody else", async () => {
    const { personalCode: _, ...representative } = { ...doctor, role: "consent-representative" };
    const readBy = async (caller: Partial<TestCaller>) => {
      const as = { ...representative, personalCode: "46602140023", ...caller };
      const { status } = await send(`${service.url}/fhir/Patient/${id}`, { as });
      return [status, (await latest()).agent.filter((one) => JSON.stringify(one).includes('"SBJ"'))];
    };
    const represented = { who: { identifier: { system: `${PID}/est/ni`, value: personalCode } } };
    expect(await readBy({ patient: personalCode })).toEqual([200, [expect.objectContaining(represented)]]);
    expect(await readBy({ patient: "37001150096" })).toEqual([403, []]);
    expect(await readBy({ patient: "37001150096", role: "doctor" })).toEqual([200, []]);
  });

  it("shows a look at itself", async () => {
    await trail();
    const [newest] = eventsOf(await trail());
    expect(newest).toMatchObject({ action: "E", code: { text: "AuditService/SearchAuditEvents" } });
  });

  it("of a linked group is that of all its patients", async () => {
    const other = await send(`${service.url}/fhir/Patient`, {
      method: "POST",
      body: JSON.stringify(inventedPatient()),
    });
    const parameter = [
      { name: "source-patient", valueReference: { reference: `Patient/${other.json.id}` } },
      { name: "target-patient", valueReference: { reference: `Patient/${id}` } },
    ];
    const body = JSON.stringify({ resourceType: "Parameters", parameter });
    expect((await send(`${service.url}/fhir/Patient/$link`, { method: "POST", body })).status).toBe(200);
    await get(`Patient/${other.json.id}`);
    expect(await latest()).toMatchObject({ patient: { reference: `Patient/${other.json.id}` } });
  });

  it("cannot be written, nor read by id", async () => {
    const body = JSON.stringify({ resourceType: "AuditEvent" });
    expect((await send(`${service.url}/fhir/AuditEvent`, { method: "POST", body, as: patient })).status).toBe(
      405,
    );
    expect((await send(`${service.url}/fhir/AuditEvent/${id}-1`, { as: patient })).status).toBe(404);
  });
});

function agentType(code: string) {
  return { coding: [{ system: "http://terminology.hl7.org/CodeSystem/v3-ParticipationType", code }] };
}
