import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Gateway, startGateway } from "../../gateway/server.ts";
import { createRemoteTransport, type RemoteTransport } from "../../gateway/transport/remote.ts";
import { defaultErrorSystems } from "../../src/errors/index.ts";
import { trusts } from "../callers.ts";
import { type RunningService, startService } from "../service.ts";
import { type HttpAnswer, type HttpRequest, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

type Json = Record<string, unknown>;

vi.setConfig({ testTimeout: 180_000 });

const bodyLimit = 6 * 1024 * 1024;
const birthDate = "1931-02-03";

let service: RunningService;
let gateway: Gateway;
let transport: RemoteTransport;
/** Seven patients of a megabyte each, in the order in which they were stored. */
let ids: string[];

beforeAll(async () => {
  service = await startService({ bodyLimit });
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
  for (let n = 0; n < 7; n++) ids.push(await stored(large(inventedPatient({ birthDate }))));
});

afterAll(async () => {
  await gateway.stop(1_000);
  transport.close();
  await service.stop();
});

const MEGABYTE = 1_000_000;

function large(resource: Json, bytes = MEGABYTE): Json {
  const extension = Array.from({ length: Math.ceil(bytes / MEGABYTE) }, (_, n) => ({
    url: `https://example.ee/remark-${n}`,
    valueString: "x".repeat(MEGABYTE),
  }));
  return { ...resource, extension };
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

  it.each(["", "_count=100", "_count=4", "_count=3", "_count=2", "_count=1"])(
    "the pages of a search (%s) end early, and the links leave nobody out",
    async (count) => {
      const pages = await pagesFrom(found(count));
      expect(pages.flatMap(idsIn)).toEqual(ids);
      for (const page of pages) {
        expect(page.json.total).toBe(7);
        expect(idsIn(page).length).toBeLessThanOrEqual(3);
        expect(idsIn(await send(linkOf(page, "self") ?? ""))).toEqual(idsIn(page));
        expect(idsIn(await send(linkOf(page, "first") ?? "")).at(0)).toBe(ids[0]);
        expect(idsIn(await send(linkOf(page, "last") ?? "")).at(-1)).toBe(ids[6]);
      }
      const [last] = pages.slice(-1);
      const back = await pagesFrom(linkOf(last as HttpAnswer, "self") ?? "", "previous");
      expect(back.reverse().flatMap(idsIn)).toEqual(ids);
    },
  );

  it("a page that ends early begins where it was asked for", async () => {
    const page = await send(found("_count=5&_page=2"));
    expect(idsIn(page)).toEqual(ids.slice(5));
    expect(linkOf(page, "next")).toBeUndefined();
  });

  it("one that is larger than a page is a page", async () => {
    const birth = origin() === service.url ? "1932-01-01" : "1932-01-02";
    const giants = [];
    for (let n = 0; n < 2; n++)
      giants.push(await stored(large(inventedPatient({ birthDate: birth }), 3_500_000)));
    const pages = await pagesFrom(`${origin()}/fhir/Patient?birthdate=${birth}&_sort=_lastUpdated`);
    expect(pages.map(idsIn)).toEqual(giants.map((id) => [id]));
  });

  it("so it is of histories", async () => {
    const id = await stored(large(inventedPatient(), 1));
    const { json } = await fhir(`Patient/${id}`);
    for (let n = 0; n < 4; n++) {
      await fhir(`Patient/${id}`, {
        method: "PUT",
        body: JSON.stringify({ ...json, language: n % 2 ? "et" : "en" }),
      });
    }
    const pages = await pagesFrom(`${origin()}/fhir/Patient/${id}/_history`);
    const versions = pages.map(({ json }) =>
      json.entry.map(
        ({ resource }: { resource: { meta: { versionId: string } } }) => resource.meta.versionId,
      ),
    );
    expect(versions.flat()).toEqual(["5", "4", "3", "2", "1"]);
    expect(versions.length).toBeGreaterThan(1);
    for (const page of pages) expect(page.json.total).toBe(5);
  });

  it.each(["_count=6", "_count=6&_sort=_lastUpdated"])("and of the change feed (%s)", async (order) => {
    const pages = await pagesFrom(`${origin()}/fhir/Patient/_history?${order}`);
    const changes = pages.flatMap(({ json }) => json.entry as Json[]);
    expect(new Set(changes.map(({ fullUrl, response }) => JSON.stringify([fullUrl, response]))).size).toBe(
      pages[0]?.json.total,
    );
    expect(changes).toHaveLength(pages[0]?.json.total);
  });
});

it("reads that a gateway apart sends together come back, however large they are", async () => {
  const giants = await Promise.all(
    Array.from({ length: 24 }, () => stored(large(inventedPatient(), 3_000_000))),
  );
  const answers = await Promise.all(
    giants.map((id) => send(`http://127.0.0.1:${gateway.port}/fhir/Patient/${id}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(giants.map(() => 200));
});
