import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fastify } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contracts } from "../../../gateway/exchange/contracts.ts";
import type { GatewayContext } from "../../../gateway/exchange/gateway-context.ts";
import { allInteractions } from "../../../gateway/routes/interactions.ts";
import { registerRoutes } from "../../../gateway/routes/register.ts";
import { doctor, type TestCaller } from "../../callers.ts";
import { PID } from "../../patients/examples.ts";
import { type RunningService, startService } from "../../service.ts";
import { type HttpAnswer, type HttpRequest, send } from "../http-client.ts";

/** What the CapabilityStatement claims of a type. */
interface Claims {
  readonly type: string;
  readonly interaction: readonly { readonly code: string }[];
  readonly searchParam?: readonly { readonly name: string; readonly definition?: string }[];
  readonly operation?: readonly { readonly name: string; readonly definition: string }[];
  readonly supportedProfile?: readonly string[];
  readonly conditionalUpdate: boolean;
  readonly conditionalDelete: string;
}

interface Statement {
  readonly format: readonly string[];
  readonly patchFormat: readonly string[];
  readonly rest: readonly [
    { readonly interaction: readonly { readonly code: string }[]; readonly resource: readonly Claims[] },
  ];
}

/** Somebody in the sandbox, who asks for himself. */
const patient: TestCaller = { ...doctor, role: "patient" };

let service: RunningService;
let base: string;
let patientId: string;
let statement: Statement;
let types: readonly Claims[];

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
  statement = (await send(`${base}/metadata`)).json;
  types = statement.rest[0].resource;
  const code = `https://fhir.ee/sid/pid/est/ni|${patient.personalCode}`;
  patientId = (await send(`${base}/Patient?identifier=${encodeURIComponent(code)}`)).json.entry[0].resource
    .id;
});

afterAll(() => service.stop());

/** Whether there is such a request at all, whatever becomes of it: no path unknown, no method not offered. */
async function isOffered(path: string, request: HttpRequest = {}): Promise<boolean> {
  const { status, json } = await send(base + path, request);
  const code = json?.issue?.[0]?.details?.coding?.[0]?.code;
  // A definition that is not there is as unknown as a path.
  const isOfDefinition =
    /^\/(?:\w+Definition|SearchParameter)\/[A-Za-z0-9]\w*$/.test(path) && request.method === undefined;
  return status !== 405 && (isOfDefinition || !(status === 404 && code === "MPI-400"));
}

const body = (type: string) => JSON.stringify({ resourceType: type });
const patch = { "content-type": "application/json-patch+json" };

/** Requests by the code of their interaction, for any type. */
const requests: Readonly<Record<string, (type: string) => Promise<boolean>>> = {
  read: (type) => isOffered(`/${type}/999999`),
  vread: (type) => isOffered(`/${type}/999999/_history/1`),
  update: (type) => isOffered(`/${type}/999999`, { method: "PUT", body: body(type) }),
  patch: (type) => isOffered(`/${type}/999999`, { method: "PATCH", body: "[]", headers: patch }),
  delete: (type) => isOffered(`/${type}/999999`, { method: "DELETE" }),
  create: (type) => isOffered(`/${type}`, { method: "POST", body: body(type) }),
  "history-instance": (type) => isOffered(`/${type}/999999/_history`),
  "history-type": (type) => isOffered(`/${type}/_history`),
  "search-type": (type) => isOffered(`/${type}?_id=1`),
};

/** Whether a search understands a parameter, be the value wrong: what is unknown is passed over when that is wished. */
async function isUnderstood(type: string, name: string): Promise<boolean> {
  const { query, as } = searchOf(type, name);
  const url = `${base}/${type}?${query}`;
  if (!isRefused(await send(url, { as }), name)) return true;
  return isRefused(await send(url, { as, headers: { prefer: "handling=lenient" } }), name);
}

/** Only patients may ask for their own trail, so whatever names a patient names them. */
function searchOf(type: string, name: string): { readonly query: URLSearchParams; readonly as: TestCaller } {
  const query = new URLSearchParams({ [name]: "x" });
  if (type !== "AuditEvent") return { query, as: doctor };
  if (name.endsWith(".identifier")) query.set(name, `${PID}/est/ni|${patient.personalCode}`);
  else query.set(name === "subject" ? name : "patient", `Patient/${patientId}`);
  return { query, as: patient };
}

function isRefused({ json }: HttpAnswer, name: string): boolean {
  const issues: { severity: string; expression?: string[] }[] = json.issue ?? [];
  return issues.some(
    ({ severity, expression = [] }) => severity === "error" && expression.includes(`http.${name}`),
  );
}

/** Names of all search parameters that R5 has for a type. */
async function parametersOfR5(type: string): Promise<string[]> {
  const folder = dirname(createRequire(import.meta.url).resolve("hl7.fhir.r5.core/package.json"));
  const files = (await readdir(folder)).filter((file) => file.startsWith(`SearchParameter-${type}-`));
  const codes = files.map(async (file) => JSON.parse(await readFile(join(folder, file), "utf8")).code);
  return [
    ...(await Promise.all(codes)),
    "_text",
    "_content",
    "_tag",
    "_profile",
    "_security",
    "_has",
    "_list",
  ];
}

async function found(url: string): Promise<number> {
  const type = url.split("/").at(-2);
  return (await send(`${base}/${type}?url=${encodeURIComponent(url)}`)).json.total;
}

describe("what the CapabilityStatement claims", () => {
  test("of interactions is offered, and no other", async () => {
    for (const { type, interaction } of types) {
      const claimed = interaction.map(({ code }) => code).sort();
      const offered: string[] = [];
      for (const [code, request] of Object.entries(requests)) if (await request(type)) offered.push(code);
      expect([type, offered.sort()]).toEqual([type, claimed]);
    }
  });

  test("of conditional writes is offered, and no other", async () => {
    for (const { type, conditionalUpdate, conditionalDelete } of types) {
      const updates = await isOffered(`/${type}?_id=x`, { method: "PUT", body: body(type) });
      const deletes = await isOffered(`/${type}?_id=x`, { method: "DELETE" });
      expect([type, updates, deletes]).toEqual([
        type,
        conditionalUpdate,
        conditionalDelete !== "not-supported",
      ]);
    }
  });

  test("of search parameters is understood, and no other parameter of R5", async () => {
    const everywhere = new Set(types.flatMap(({ searchParam = [] }) => searchParam.map(({ name }) => name)));
    for (const { type, interaction, searchParam = [] } of types) {
      if (!interaction.some(({ code }) => code === "search-type")) continue;
      const claimed = searchParam.map(({ name }) => name);
      const candidates = new Set([...everywhere, ...(await parametersOfR5(type))]);
      const understood: string[] = [];
      for (const name of candidates) if (await isUnderstood(type, name)) understood.push(name);
      expect([type, understood.sort()]).toEqual([type, claimed.sort()]);
    }
  });

  test("of operations is offered, and is what its definition says", async () => {
    for (const { type, operation = [] } of types) {
      for (const { name, definition } of operation) {
        const id = definition.split("/").at(-1);
        const { json } = await send(`${base}/OperationDefinition/${id}`);
        expect([json.url, json.code, json.resource]).toEqual([definition, name, [type]]);
        const ofType = await isOffered(`/${type}/$${name}`, { method: "POST", body: "{}" });
        const ofInstance = await isOffered(`/${type}/999999/$${name}`, { method: "POST", body: "{}" });
        expect([definition, ofType, ofInstance]).toEqual([definition, json.type, json.instance]);
      }
    }
  });

  test("refers to definitions that are there", async () => {
    const links = types.flatMap(({ supportedProfile = [], searchParam = [], operation = [] }) => [
      ...supportedProfile,
      ...searchParam.flatMap(({ definition }) => definition ?? []),
      ...operation.map(({ definition }) => definition),
    ]);
    expect(links.length).toBeGreaterThan(40);
    for (const link of links) expect([link, await found(link)]).toEqual([link, 1]);
  });

  test("of formats is answered and read", async () => {
    for (const format of statement.format) {
      const accept = format.includes("/") ? format : "*/*";
      const answer = await fetch(`${base}/metadata?_format=${encodeURIComponent(format)}`, {
        headers: { accept },
      });
      expect([format, answer.status]).toEqual([format, 200]);
    }
    for (const format of statement.patchFormat) {
      const headers = { "content-type": format };
      const { status } = await send(`${base}/Patient/999999`, { method: "PATCH", body: "[]", headers });
      expect([format, status]).not.toEqual([format, 415]);
    }
  });

  test("of the whole is offered, and no other", async () => {
    const bundle = (type: string) =>
      send(base, { method: "POST", body: JSON.stringify({ resourceType: "Bundle", type }) });
    const answers: Readonly<Record<string, Promise<HttpAnswer>>> = {
      batch: bundle("batch"),
      transaction: bundle("transaction"),
      "history-system": send(`${base}/_history`),
      "search-system": send(`${base}?_lastUpdated=gt2020`),
    };
    const claimed = statement.rest[0].interaction.map(({ code }) => code);
    for (const [code, answer] of Object.entries(answers)) {
      expect([code, (await answer).status === 200]).toEqual([code, claimed.includes(code)]);
    }
  });

  test("is every route that there is", async () => {
    const routes: string[] = [];
    const server = fastify({ routerOptions: { ignoreTrailingSlash: true } });
    server.addHook("onRoute", ({ method, url }) => {
      routes.push(...[method].flat().map((one) => `${one} ${url}`));
    });
    registerRoutes(server, allInteractions(), {} as GatewayContext);
    await server.ready();
    const below = new Set(
      routes.flatMap((route) =>
        contracts.flatMap(({ basePath }) => {
          const [method = "", url = ""] = route.split(" ");
          return url.startsWith(`${basePath}/`) && method !== "HEAD" ? [url.slice(basePath.length)] : [];
        }),
      ),
    );
    const claimed = new Set(
      types.flatMap(({ type, interaction, operation = [] }) => [
        ...interaction.flatMap(({ code }) => pathsOf(type, code)),
        ...operation.flatMap(({ name }) => [`/${type}/$${name}`, `/${type}/:id/$${name}`]),
      ]),
    );
    expect([...below].filter((path) => !claimed.has(path) && path !== "/metadata" && path !== "/")).toEqual(
      [],
    );
  });
});

/** Where an interaction of a type is, by FHIR. */
function pathsOf(type: string, code: string): string[] {
  switch (code) {
    case "vread":
      return [`/${type}/:id/_history/:version`];
    case "history-instance":
      return [`/${type}/:id/_history`];
    case "history-type":
      return [`/${type}/_history`];
    case "search-type":
      return [`/${type}`, `/${type}/_search`];
    case "create":
      return [`/${type}`];
    default:
      return [`/${type}/:id`];
  }
}
