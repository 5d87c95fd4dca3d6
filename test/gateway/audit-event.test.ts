import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AuditService } from "#proto/patientindex/v1/audit_service_pb.ts";
import { callerHeaders, doctor, type TestCaller } from "../callers.ts";
import { type GrpcClients, grpcClients, refusalOf } from "../clients.ts";
import { PID } from "../patients/examples.ts";
import { type RunningService, startService } from "../service.ts";
import { type HttpAnswer, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";
import { codesOf, everybody, RR } from "./register-answers.ts";

const [somebody] = everybody;
const personalCode = somebody?.personalCode ?? "";
const patient: TestCaller = { ...doctor, personalCode, name: "The patient", role: "patient" };

interface AuditEventJson {
  readonly id: string;
  readonly action: string;
  readonly code: { readonly text: string; readonly coding: readonly { readonly code: string }[] };
  readonly outcome: {
    readonly code: { readonly code: string };
    readonly detail?: readonly { text: string }[];
  };
  readonly recorded: string;
  readonly agent: readonly unknown[];
  readonly entity?: readonly { readonly what: { readonly reference?: string } }[];
}

let service: RunningService;
let clients: GrpcClients;
let asPatient: GrpcClients;
let id: string;
let startedAt: string;

beforeAll(async () => {
  service = await startService();
  clients = grpcClients(service.grpcPort);
  asPatient = grpcClients(service.grpcPort, patient);
  startedAt = new Date().toISOString();
  const found = await get(`Patient/$lookup?identifier=${personalCode}&source=${RR}`, {
    "x-road-issue": "k%C3%A4sitlus 17",
  });
  id = found.json.entry[0].resource.id;
});

afterAll(async () => {
  clients.close();
  asPatient.close();
  await service.stop();
});

function get(path: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${path}`, { headers });
}

/** The trail as the patient sees it. */
function trail(query = "", headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/AuditEvent?patient=Patient/${id}${query}`, { as: patient, headers });
}

function eventsOf({ json }: HttpAnswer): AuditEventJson[] {
  return (json.entry ?? [])
    .filter(({ search }: { search: { mode: string } }) => search.mode === "match")
    .map(({ resource }: { resource: AuditEventJson }) => resource);
}

function fullUrlsOf({ json }: HttpAnswer): string[] {
  return json.entry.map(({ fullUrl }: { fullUrl: string }) => fullUrl);
}

/** The newest entry that is not the look at the trail itself. */
async function latest(): Promise<AuditEventJson> {
  const events = eventsOf(await trail());
  const [found] = events.filter(({ code }) => code.text !== "AuditService/SearchAuditEvents");
  if (!found) throw new Error("There is no entry.");
  return found;
}

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

  it("shows a look at itself", async () => {
    await trail();
    const [newest] = eventsOf(await trail());
    expect(newest).toMatchObject({ action: "E", code: { text: "AuditService/SearchAuditEvents" } });
  });

  it("is paged, newest first, though every look adds to it", async () => {
    for (let count = 0; count < 5; count++) await get(`Patient/${id}`);
    const { json } = await trail("&_count=1");
    const total = json.total as number;
    const seen: AuditEventJson[] = [];
    for (
      let next: string | undefined = `${service.url}/fhir/AuditEvent?patient=Patient/${id}&_count=3`;
      next;
    ) {
      const page = await send(next, { as: patient });
      seen.push(...eventsOf(page));
      next = page.json.link.find(({ relation }: { relation: string }) => relation === "next")?.url;
    }
    expect(new Set(seen.map((event) => event.id)).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(total);
    expect(seen.map(({ recorded }) => recorded)).toEqual(
      seen
        .map(({ recorded }) => recorded)
        .sort()
        .reverse(),
    );
  });

  it("is searched by what the OpenAPI document says, and by nothing else", async () => {
    const { json } = await send(`${service.url}/openapi.json`);
    const told: readonly { readonly in: string; readonly name: string }[] =
      json.paths["/AuditEvent"].get.parameters;
    const names = told.filter(({ in: place }) => place === "query").map(({ name }) => name);
    const links: readonly { relation: string; url: string }[] = (await trail("&_count=1")).json.link;
    const next = new URL(links.find(({ relation }) => relation === "next")?.url ?? "");
    const values = new URLSearchParams({
      patient: `Patient/${id}`,
      "patient.identifier": `${PID}/est/ni|${personalCode}`,
      date: "ge2020",
      _count: "1",
      _page: next.searchParams.get("_page") ?? "",
    });
    expect(names.sort()).toEqual([...values.keys()].sort());
    expect((await send(`${service.url}/fhir/AuditEvent?${values}`, { as: patient })).status).toBe(200);
    for (const query of ["&_sort=-date", "&_elements=id", "&_summary=count", "&_total=accurate"]) {
      expect([query, codesOf(await trail(query))]).toEqual([query, ["MPI-015"]]);
    }
  });

  it("has a fullUrl that is no address, the same at each look", async () => {
    const [, one, two] = fullUrlsOf(await trail("&_count=3"));
    const [, , first, second] = fullUrlsOf(await trail("&_count=4"));
    expect(one).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([first, second]).toEqual([one, two]);
    expect(one).not.toBe(two);
  });

  it("is found by time", async () => {
    const before = await trail(`&date=lt${startedAt}`);
    expect(before.json).toMatchObject({ total: 0 });
    expect((await trail(`&date=ge${startedAt}&_count=0`)).json.total).toBeGreaterThan(0);
    const today = startedAt.slice(0, 10);
    expect((await trail(`&date=ge${today}&date=lt2100&_count=1`)).json.total).toBeGreaterThan(0);
  });

  it("is compared with the first and the last times that there are", async () => {
    const found = async (date: string) => (await trail(`&date=${date}&_count=0`)).json.total;
    for (const date of ["lt0001", "eb0001-01-01T00:00:00", "gt9999", "sa9999-12-31T23:59:59-14:00"]) {
      expect([date, await found(date)]).toEqual([date, 0]);
    }
    expect(await found("ge0001&date=le9999")).toBeGreaterThan(0);
  });

  it.each(["8640000000000000/1/1", "999999999999999/-1/1", "253402300800000/1/1"])(
    "has no page behind the place %s",
    async (place) => {
      const refused = await trail(`&_page=${Buffer.from(place).toString("base64url")}`);
      expect([refused.status, codesOf(refused)]).toEqual([400, ["MPI-015"]]);
    },
  );

  it("is found by POST, in XML, and over gRPC", async () => {
    const form = await send(`${service.url}/fhir/AuditEvent/_search`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `patient.identifier=${encodeURIComponent(`${PID}/est/ni|${personalCode}`)}&_count=2`,
      as: patient,
    });
    expect(eventsOf(form)).toHaveLength(2);
    const xml = await trail("&_count=1&_format=xml");
    expect(xml.text).toContain("<AuditEvent");
    const audit = createClient(AuditService, asPatient.transport);
    const found = await audit.searchAuditEvents({
      parameters: [{ name: "patient", value: `Patient/${id}` }],
      pageSize: 2,
    });
    expect(found.auditEvents).toHaveLength(2);
    const next = await audit.searchAuditEvents({
      parameters: [{ name: "patient", value: `Patient/${id}` }],
      pageToken: found.nextPageToken,
    });
    expect(next.auditEvents[0]?.id).not.toBe(found.auditEvents[1]?.id);
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

  it.each([
    ["&date=yesterday", "MPI-015"],
    ["&_page=2", "MPI-015"],
    ["&agent=x", "MPI-015"],
    ["&_count=1&_count=2", "MPI-080"],
  ])("refuses %s with %s", async (query, code) => {
    const refused = await trail(query);
    expect([refused.status, codesOf(refused)]).toEqual([400, [code]]);
  });

  it("passes over what it does not know, where that is wished", async () => {
    const found = await trail("&agent=x&_count=1", { prefer: "handling=lenient" });
    expect(found.status).toBe(200);
    expect(found.json.link[0].url).not.toContain("agent");
  });

  it("cannot be written, nor read by id", async () => {
    const body = JSON.stringify({ resourceType: "AuditEvent" });
    expect((await send(`${service.url}/fhir/AuditEvent`, { method: "POST", body, as: patient })).status).toBe(
      405,
    );
    expect((await send(`${service.url}/fhir/AuditEvent/${id}-1`, { as: patient })).status).toBe(404);
  });
});

describe("AuditService", () => {
  it("refuses a search of nobody's trail", async () => {
    const audit = createClient(AuditService, asPatient.transport);
    expect(await refusalOf(audit.searchAuditEvents({}))).toMatchObject({
      issues: [expect.stringMatching(/^MPI-0/)],
    });
  });
});

function agentType(code: string) {
  return { coding: [{ system: "http://terminology.hl7.org/CodeSystem/v3-ParticipationType", code }] };
}
