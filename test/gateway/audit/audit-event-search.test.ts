import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AuditService } from "#proto/patientindex/v1/audit_service_pb.ts";
import { type GrpcClients, grpcClients, refusalOf } from "../../clients.ts";
import { PID } from "../../patients/examples.ts";
import type { RunningService } from "../../service.ts";
import { codesOf, type HttpAnswer, send } from "../http-client.ts";
import {
  type AuditEventJson,
  type AuditedPatient,
  auditedPatient,
  eventsOf,
  patient,
  personalCode,
} from "./audited-patient.ts";

let asPatient: GrpcClients;
let id: string;
let service: RunningService;
let get: AuditedPatient["get"];
let trail: AuditedPatient["trail"];
let startedAt: string;

beforeAll(async () => {
  startedAt = new Date().toISOString();
  ({ service, id, get, trail } = await auditedPatient());
  asPatient = grpcClients(service.grpcPort, patient);
});

afterAll(async () => {
  asPatient.close();
  await service.stop();
});

function fullUrlsOf({ json }: HttpAnswer): string[] {
  return json.entry.map(({ fullUrl }: { fullUrl: string }) => fullUrl);
}

describe("A search for AuditEvent", () => {
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
    const values = new URLSearchParams({
      patient: `Patient/${id}`,
      "patient.identifier": `${PID}/est/ni|${personalCode}`,
      date: "ge2020",
      _count: "1",
    });
    const first = await send(`${service.url}/fhir/AuditEvent?${values}`, { as: patient });
    const links: readonly { relation: string; url: string }[] = first.json.link;
    const next = links.find(({ relation }) => relation === "next")?.url ?? "";
    expect(names.sort()).toEqual([...new URL(next).searchParams.keys()].sort());
    expect((await send(next, { as: patient })).status).toBe(200);
    for (const query of ["&_sort=-date", "&_elements=id", "&_summary=count", "&_total=accurate"]) {
      expect([query, codesOf(await trail(query))]).toEqual([query, ["MPI-015"]]);
    }
  });

  it("takes the patient by an address below the base of the request, and by that of no other server", async () => {
    const statusOf = async (base: string) => {
      const reference = encodeURIComponent(`${base}/fhir/Patient/${id}`);
      return (await send(`${service.url}/fhir/AuditEvent?patient=${reference}`, { as: patient })).status;
    };
    expect([await statusOf(service.url), await statusOf("http://other.example")]).toEqual([200, 403]);
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
      const token = Buffer.from(`${place} AAAAAAAAAAAAAAAA`).toString("base64url");
      const refused = await trail(`&_page=${token}`);
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

  it("has pages of its own: the token of another search is refused", async () => {
    const { json } = await trail("&_count=1&date=ge2020");
    const next = new URL(json.link.find(({ relation }: { relation: string }) => relation === "next").url);
    const token = next.searchParams.get("_page");
    expect((await trail(`&_count=3&date=ge2020&_page=${token}`)).status).toBe(200);
    for (const other of ["", "&date=ge2021", "&date=ge2020&date=le2100"]) {
      const refused = await trail(`${other}&_page=${token}`);
      expect([refused.status, refused.json.issue[0].expression]).toEqual([400, ["http._page"]]);
    }
    const audit = createClient(AuditService, asPatient.transport);
    const parameters = [{ name: "patient", value: `Patient/${id}` }];
    expect(await refusalOf(audit.searchAuditEvents({ parameters, pageToken: token ?? "" }))).toEqual({
      status: "InvalidArgument",
      issues: ["MPI-015 page_token"],
    });
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
});

describe("AuditService", () => {
  it("refuses a search of nobody's trail", async () => {
    const audit = createClient(AuditService, asPatient.transport);
    expect(await refusalOf(audit.searchAuditEvents({}))).toMatchObject({
      issues: [expect.stringMatching(/^MPI-0/)],
    });
  });
});
