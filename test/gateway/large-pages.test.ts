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
