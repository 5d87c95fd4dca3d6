import { toBinary } from "@bufbuild/protobuf";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SearchPatientsResponseSchema } from "#proto/patientindex/v1/patient_service_pb.ts";
import { type Gateway, startGateway } from "../../gateway/server.ts";
import { createRemoteTransport, type RemoteTransport } from "../../gateway/transport/remote.ts";
import { defaultErrorSystems } from "../../src/errors/index.ts";
import { trusts } from "../callers.ts";
import { type GrpcClients, grpcClients } from "../clients.ts";
import { type RunningService, startService } from "../service.ts";
import { spouseOf } from "./family.ts";
import { type HttpAnswer, type HttpRequest, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";
import { startGatewayApart } from "./started-gateway.ts";

type Json = Record<string, unknown>;

/** What gRPC clients take unless told otherwise. */
const MOST_OF_A_MESSAGE = 4 * 1024 * 1024;
const bodyLimit = 2 * 1024 * 1024;
const birthDate = "1931-02-03";

let service: RunningService;
let gateway: Gateway;
let transport: RemoteTransport;
let clients: GrpcClients;
/** Three patients, of whom a page holds two, in the order in which they were stored. */
let ids: string[];

beforeAll(async () => {
  service = await startService({ bodyLimit });
  clients = grpcClients(service.grpcPort);
  transport = createRemoteTransport({ target: `127.0.0.1:${service.grpcPort}`, gatherCalls: true });
  gateway = await startGateway({
    host: "127.0.0.1",
    port: 0,
    transport,
    connectServices: [],
    defaultLanguage: "en",
    errorSystems: defaultErrorSystems,
    bodyLimit,
    log: pino({ level: "silent" }),
  });
  trusts(`http://127.0.0.1:${gateway.port}`, service.sandboxUrl);
  ids = [];
  for (let n = 0; n < 3; n++) ids.push(await stored(large(inventedPatient({ birthDate }))));
});

afterAll(async () => {
  clients.close();
  await gateway.stop(1_000);
  transport.close();
  await service.stop();
});

/** The same resource with a remark of a megabyte and a half. */
function large(resource: Json): Json {
  const remark = { url: "https://example.ee/remark", valueString: "x".repeat(750_000) };
  return { ...resource, extension: [remark, remark] };
}

async function stored(resource: Json): Promise<string> {
  const { json } = await fhir(`${resource["resourceType"]}`, {
    method: "POST",
    body: JSON.stringify(resource),
  });
  return json.id;
}

function fhir(path: string, request: HttpRequest = {}): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${path}`, request);
}

const idsIn = ({ json }: HttpAnswer): string[] =>
  (json.entry ?? []).map(({ resource }: { resource: Json }) => resource["id"]);
const linkOf = ({ json }: HttpAnswer, relation: string): string | undefined =>
  json.link.find((link: Json) => link["relation"] === relation)?.url;

/** The pages of a list, from this one on. */
async function pagesFrom(url: string, relation = "next"): Promise<HttpAnswer[]> {
  const pages: HttpAnswer[] = [];
  for (let next: string | undefined = url; next !== undefined; ) {
    const page = await send(next);
    expect(page.status).toBe(200);
    pages.push(page);
    next = linkOf(page, relation);
  }
  return pages;
}

describe.each([
  ["in the core's process", () => service.url],
  ["apart", () => `http://127.0.0.1:${gateway.port}`],
])("through a gateway %s", (_place, origin) => {
  const found = (query: string) =>
    `${origin()}/fhir/Patient?birthdate=${birthDate}&_sort=_lastUpdated&${query}`;

  it("the pages of a search end early, and the links leave nobody out", async () => {
    const pages = await pagesFrom(found(""));
    expect(pages.map(idsIn)).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(pages.map(({ json }) => json.total)).toEqual([3, 3]);
    const [first, second] = pages as [HttpAnswer, HttpAnswer];
    expect(linkOf(first, "last")).toBe(linkOf(first, "next"));
    const back = await send(linkOf(second, "previous") ?? "");
    expect(idsIn(back)).toEqual(idsIn(first));
    expect(linkOf(back, "next")).toBe(linkOf(second, "self"));
  });

  it("and those of the change feed", async () => {
    const pages = await pagesFrom(`${origin()}/fhir/Patient/_history?_sort=_lastUpdated`);
    expect(pages.flatMap(idsIn).slice(0, 3)).toEqual(ids);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(idsIn)).toHaveLength(pages[0]?.json.total);
  });
});

it("so it is of histories", async () => {
  const resource = large(inventedPatient());
  const id = await stored(resource);
  for (const language of ["en", "et"]) {
    await fhir(`Patient/${id}`, { method: "PUT", body: JSON.stringify({ ...resource, language }) });
  }
  const pages = await pagesFrom(`${service.url}/fhir/Patient/${id}/_history`);
  const versions = pages.map(({ json }) =>
    json.entry.map(({ resource }: { resource: { meta: { versionId: string } } }) => resource.meta.versionId),
  );
  expect(versions).toEqual([["3", "2"], ["1"]]);
  expect(pages.map(({ json }) => json.total)).toEqual([3, 3]);
});

it("over gRPC the token says where to go on, whatever size is asked for, and each page is taken by any client", async () => {
  const parameters = [
    { name: "birthdate", value: birthDate },
    { name: "_sort", value: "_lastUpdated" },
  ];
  for (const pageSize of [0, 3]) {
    const found: (string | undefined)[] = [];
    for (let pageToken = ""; ; ) {
      const page = await clients.patients.searchPatients({ parameters, pageSize, pageToken });
      expect(page.totalSize).toBe(3n);
      expect(toBinary(SearchPatientsResponseSchema, page).length).toBeLessThan(MOST_OF_A_MESSAGE);
      found.push(...page.patients.map(({ id }) => id));
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    expect(found).toEqual(ids);
  }
});

it("the token of a search goes on where the page ended, also when another size is asked for", async () => {
  const parameters = [
    { name: "_id", value: ids.join(",") },
    { name: "_elements", value: "id" },
  ];
  const first = await clients.patients.searchPatients({ parameters, pageSize: 1 });
  const { patients } = await clients.patients.searchPatients({
    parameters: [...parameters, { name: "_page", value: first.nextPageToken }],
    pageSize: 100,
  });
  const shown = first.patients.concat(patients).map(({ id }) => id);
  expect(new Set(shown).size).toBe(2);
});

it("contact persons come in pages that end early too", async () => {
  const [patient] = ids;
  const contacts: string[] = [];
  for (let n = 0; n < 3; n++) {
    contacts.push(await stored(large(spouseOf(`Patient/${patient}`))));
  }
  const pages = await pagesFrom(
    `${service.url}/fhir/RelatedPerson?patient=Patient/${patient}&_sort=_lastUpdated`,
  );
  expect(pages.map(idsIn)).toEqual([contacts.slice(0, 2), contacts.slice(2)]);
  expect(pages.map(({ json }) => json.total)).toEqual([3, 3]);
});

describe.each([
  ["in the core's process", () => service.url],
  ["apart", () => `http://127.0.0.1:${gateway.port}`],
])("of a Bundle of requests, through a gateway %s", (_place, origin) => {
  interface Entry {
    readonly resource?: Json;
    readonly request: { readonly method: string; readonly url: string };
  }
  const sent = (type: "batch" | "transaction", entry: readonly Entry[]) =>
    send(`${origin()}/fhir`, {
      method: "POST",
      body: JSON.stringify({ resourceType: "Bundle", type, entry }),
    });
  const read = (): Entry => ({ request: { method: "GET", url: `Patient/${ids[0]}` } });
  const patch = (id = ""): Entry => {
    const operations = [{ op: "add", path: "/language", value: "et" }];
    const data = Buffer.from(JSON.stringify(operations)).toString("base64");
    return {
      resource: { resourceType: "Binary", contentType: "application/json-patch+json", data },
      request: { method: "PATCH", url: `Patient/${id}` },
    };
  };
  const MANY = 40;
  const tooMuch = { code: "too-costly", details: { coding: [{ code: "MPI-027" }] } };

  it("a batch answers reads until there is no more room, and does all writes", async () => {
    const id = await stored(large(inventedPatient()));
    const reads = Array.from({ length: MANY }, read);
    const { status, json, text } = await sent("batch", [...reads, patch(id)]);
    expect(status).toBe(200);
    const answered = (json.entry as { resource?: Json; response: { status: string; outcome?: Json } }[]).map(
      ({ resource, response }) => [response.status.slice(0, 3), resource !== undefined],
    );
    const [good, refused] = [answered.slice(0, 6), answered.slice(12, MANY)];
    expect(good).toEqual(Array(6).fill(["200", true]));
    expect(refused).toEqual(Array(MANY - 12).fill(["400", false]));
    expect(json.entry[MANY - 1].response.outcome.issue).toMatchObject([tooMuch]);
    expect(answered.at(-1)).toEqual(["200", false]);
    expect((await fhir(`Patient/${id}`)).json.language).toBe("et");
    expect(text.length).toBeLessThan(20 * 1024 * 1024);
  });

  it("a transaction that reads too much is refused, where it is too much", async () => {
    const { status, json } = await sent("transaction", Array.from({ length: MANY }, read));
    expect(status).toBe(400);
    expect(json.issue[0]).toMatchObject({ ...tooMuch, expression: ["Bundle.entry[6]"] });
    const few = await sent("transaction", [read(), read()]);
    expect(few.status).toBe(200);
  });

  it("so is one that patches too much", async () => {
    const patients = await Promise.all(Array.from({ length: 20 }, () => stored(large(inventedPatient()))));
    const { status, json } = await sent("transaction", patients.map(patch));
    expect(status).toBe(400);
    expect(json.issue[0]).toMatchObject(tooMuch);
    expect(json.issue[0].expression[0]).toMatch(/^Bundle\.entry\[\d+\]/);
    expect((await fhir(`Patient/${patients[0]}`)).json.language).toBeUndefined();
  });
});

it("a body that the gateway takes and the core does not is too large", async () => {
  const resource = large(inventedPatient());
  const remarks = Array.from({ length: 4 }, () => resource["extension"] as Json[]).flat();
  const generous = await startGatewayApart(`127.0.0.1:${service.grpcPort}`, { bodyLimit: 8 * 1024 * 1024 });
  trusts(generous.url, service.sandboxUrl);
  const body = JSON.stringify({ ...resource, extension: remarks });
  const { status, json } = await send(`${generous.url}/fhir/Patient`, { method: "POST", body });
  expect(status).toBe(413);
  expect(json.issue[0].code).toBe("too-long");
  await generous.stop();
});

describe("what has no pages", () => {
  const pid = "https://fhir.ee/sid/pid";

  const expectTooMuch = ({ status, json }: HttpAnswer) => {
    expect(status).toBe(400);
    expect(json.issue).toMatchObject([{ code: "too-costly", details: { coding: [{ code: "MPI-027" }] } }]);
  };

  it("$foreign refuses more than fits into an answer", async () => {
    expectTooMuch(await fhir("Patient/$foreign?identifier-country=FIN&family=Virtanen"));
    const narrower = await fhir(
      "Patient/$foreign?identifier-country=FIN&family=Virtanen&birthdate=1801-01-01",
    );
    expect(narrower.status).toBe(200);
  });

  it("$lookup too", async () => {
    const value = `LOOKUP${Date.now()}`;
    for (const country of ["fin", "swe", "ltu"]) {
      await stored(large(inventedPatient({ identifier: [{ system: `${pid}/${country}/ppn`, value }] })));
    }
    const found = (identifier: string) =>
      fhir(`Patient/$lookup?identifier=${encodeURIComponent(`${identifier}|${value}`)}`);
    expectTooMuch(await found(pid));
    expect(idsIn(await found(`${pid}/swe`))).toHaveLength(1);
  });

  it("$match shows the most likely, as many as fit", async () => {
    const sought = inventedPatient({ birthDate });
    const identifier = [{ system: `${pid}/fin/ppn`, value: `MATCH${Date.now()}` }];
    const same = await stored(large({ ...sought, identifier }));
    const { status, json } = await fhir("Patient/$match", {
      method: "POST",
      body: JSON.stringify({
        resourceType: "Parameters",
        parameter: [{ name: "resource", resource: { ...sought, identifier } }],
      }),
    });
    expect(status).toBe(200);
    expect(json.entry).toHaveLength(2);
    expect(json.entry[0].resource.id).toBe(same);
  });
});
