import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parametersByName } from "../../../gateway/definitions/operations.ts";
import { allInteractions } from "../../../gateway/routes/interactions.ts";
import { callerHeaders } from "../../callers.ts";
import { type RunningService, startService } from "../../service.ts";
import { send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: true;
  readonly schema: Schema;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: true;
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly encoding?: object }>>;
  };
  readonly servers?: readonly { readonly url: string }[];
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, object>>;
}

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let service: RunningService;
let document: Document;
let operations: { path: string; method: string; operation: Operation }[];

beforeAll(async () => {
  service = await startService();
  document = (await send(`${service.url}/openapi.json`)).json;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
});

afterAll(() => service.stop());

/** Every $ref anywhere below. */
function refsIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === "$ref" ? [String(value)] : refsIn(value)));
}

function resolve(ref: string): unknown {
  const steps = ref.replace("#/", "").split("/");
  return steps.reduce<unknown>(
    (node, step) => (node as Record<string, unknown> | undefined)?.[step],
    document,
  );
}

/** Of a request such as `get /Patient/{id}`. */
function resolvedParametersOf(request: string): Parameter[] {
  const found = operations.find(({ method, path }) => `${method} ${path}` === request);
  return (found?.operation.parameters ?? []).map((one) =>
    one.$ref ? (resolve(one.$ref) as Parameter) : one,
  );
}

describe("the OpenAPI document", () => {
  test("is of 3.1, for every base path", () => {
    expect(document.openapi).toBe("3.1.1");
    expect(document.servers.map(({ url }) => url)).toEqual(["/fhir", "/1.5.0/fhir", "/1.1.1/fhir"]);
  });

  test("has every request that is offered, and no other", () => {
    const described = operations
      .filter(({ operation }) => operation.servers === undefined)
      .map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const offered = allInteractions().map(
      ({ method, path }) => `${method} ${path === "" ? "/" : path.replace(/:(\w+)/g, "{$1}")}`,
    );
    expect(described.sort()).toEqual([...new Set(offered)].sort());
  });

  test("names each operation once, declares the parts of its path, and gives it answers", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, at) => ids.indexOf(id) < at)).toEqual([]);
    for (const { path, operation } of operations) {
      const inPath = (operation.parameters ?? [])
        .filter((one) => one.in === "path")
        .map(({ name }) => `{${name}}`);
      expect([path, inPath]).toEqual([path, path.match(/\{\w+\}/g) ?? []]);
      expect(Object.keys(operation.responses).length).toBeGreaterThan(1);
    }
  });

  test("has no parameter twice, and says of each what it is", () => {
    for (const { operation } of operations) {
      const given = (operation.parameters ?? []).map(
        (parameter) =>
          (parameter.$ref ? resolve(parameter.$ref) : parameter) as Parameter & { description: string },
      );
      const names = given.map(({ name, in: place }) => `${place} ${name}`);
      expect([operation.operationId, names.filter((name, at) => names.indexOf(name) < at)]).toEqual([
        operation.operationId,
        [],
      ]);
      for (const { name, description } of given) expect([name, description]).not.toEqual([name, ""]);
    }
  });

  test("asks for the headers without which every call is refused", async () => {
    const required = resolvedParametersOf("get /Patient/{id}").filter((one) => one.required);
    expect(required.map(({ name }) => name).sort()).toEqual(["id", "x-road-id", "x-road-userid"]);
    for (const [name, code] of [
      ["x-road-id", "MPI-061"],
      ["x-road-userid", "MPI-060"],
    ] as const) {
      const { [name]: _, ...headers } = await callerHeaders(service.url);
      const { json } = await send(`${service.url}/fhir/Patient/1`, { headers, as: "nobody" });
      expect(json.issue[0].details.coding[0].code).toBe(code);
    }
  });

  test("has _format and _pretty with every request to the FHIR interface", () => {
    for (const { path, method, operation } of operations) {
      const names = resolvedParametersOf(`${method} ${path}`).map(({ name }) => name);
      const isFhir = operation.servers === undefined;
      expect([path, names.includes("_format"), names.includes("_pretty")]).toEqual([path, isFhir, isFhir]);
    }
  });

  test("has the parameters that are taken in the query, by every name, beside a body too", () => {
    const queryOf = (request: string) =>
      resolvedParametersOf(request)
        .filter((one) => one.in === "query" && !one.name.startsWith("_"))
        .map(({ name }) => name);
    for (const { method, path, operation, parameters } of allInteractions()) {
      if (operation === undefined) continue;
      const taken = parameters === "core" ? [...parametersByName(operation).keys()] : parameters;
      expect([path, queryOf(`${method.toLowerCase()} ${path.replace(":id", "{id}")}`)]).toEqual([
        path,
        taken,
      ]);
    }
    expect(queryOf("post /Patient/$match")).toEqual(["onlyCertainMatches", "onlySingleMatch", "count"]);
  });

  test("keeps a place for every element of a resource, so that a generated client loses none when it puts one back", () => {
    for (const [name, { properties, additionalProperties }] of Object.entries(document.components.schemas)) {
      expect([name, properties?.["resourceType"]?.type, additionalProperties]).toEqual([
        name,
        "string",
        true,
      ]);
    }
  });

  test("demands a body just where a request without one is refused", async () => {
    const taken = operations.filter(({ operation }) => operation.requestBody !== undefined);
    expect(taken.length).toBeGreaterThan(30);
    for (const { path, method, operation } of taken) {
      const type = Object.keys(operation.requestBody?.content ?? {})[0] ?? "";
      const { json } = await send(`${service.url}/fhir${path.replace("{id}", "1")}`, {
        method: method.toUpperCase(),
        headers: { "content-type": type, "x-road-issue": "test" },
      });
      const texts = (json.issue as { details: { text: string } }[] | undefined)?.map(
        ({ details }) => details.text,
      );
      const isMissed = texts?.some((text) => text.includes("no body")) ?? false;
      expect([method, path, isMissed]).toEqual([method, path, operation.requestBody?.required ?? false]);
    }
  });

  test.each([
    ["return=representation", "Patient"],
    ["return=OperationOutcome", "OperationOutcome"],
  ])("knows the answer to a write with Prefer: %s", async (prefer, resourceType) => {
    const { status, json } = await send(`${service.url}/fhir/Patient`, {
      method: "POST",
      headers: { prefer },
      body: JSON.stringify(inventedPatient()),
    });
    const answer = document.paths["/Patient"]?.["post"]?.responses[String(status)];
    expect(json.resourceType).toBe(resourceType);
    expect(refsIn(answer)).toContain(`#/components/schemas/${resourceType}`);
  });

  test("says of each patch what it is", () => {
    const patch = document.paths["/Patient/{id}"]?.["patch"]?.requestBody?.content ?? {};
    const kinds = Object.entries(patch).map(([type, { schema }]) => [type, schema.$ref ?? schema.type]);
    expect(kinds).toEqual([
      ["application/json-patch+json", "array"],
      ["application/fhir+json", "#/components/schemas/Parameters"],
      ["application/fhir+xml", "#/components/schemas/Parameters"],
    ]);
  });

  test("lets a search give several times what may be given several times, in the query and in a form", async () => {
    const severalTimes = (entries: [string, Schema | undefined][]) =>
      entries.flatMap(([name, schema]) => (schema?.type === "array" ? [name] : [])).sort();
    for (const [type, names] of [
      ["Patient", ["_lastUpdated", "birthdate", "patient-identifier"]],
      ["AuditEvent", ["date"]],
      ["RelatedPerson", []],
    ] as const) {
      const query = resolvedParametersOf(`get /${type}`).map(({ name, schema }): [string, Schema] => [
        name,
        schema,
      ]);
      const content = document.paths[`/${type}/_search`]?.["post"]?.requestBody?.content ?? {};
      const form = Object.entries(content["application/x-www-form-urlencoded"]?.schema.properties ?? {});
      expect([type, severalTimes(query), severalTimes(form)]).toEqual([type, names, names]);
      const { encoding } = content["application/x-www-form-urlencoded"] ?? {};
      expect(encoding).toEqual(
        Object.fromEntries(names.map((name) => [name, { style: "form", explode: true }])),
      );
    }
    const twice = await send(`${service.url}/fhir/Patient?birthdate=ge2001-01-01&birthdate=le2001-01-02`);
    expect(twice.status).toBe(200);
  });

  test("tells numbers and truth values from texts", () => {
    const typed = (request: string) =>
      Object.fromEntries(
        resolvedParametersOf(request)
          .filter((one) => one.in === "query" && one.schema.type !== "string")
          .map(({ name, schema }) => [name, schema.type]),
      );
    expect(typed("get /Patient/_history")).toEqual({ _count: "integer", _pretty: "boolean" });
    expect(typed("post /Patient/$match")).toEqual({
      onlyCertainMatches: "boolean",
      onlySingleMatch: "boolean",
      count: "integer",
      _pretty: "boolean",
    });
  });

  test("says which parameters may not be empty, and those are refused then", async () => {
    const lists = operations.filter(
      ({ method, path }) => method === "get" && /^\/[A-Z]\w+(\/[$_]|$)/.test(path),
    );
    const accepted: string[] = [];
    for (const { path } of lists.filter(({ operation }) => operation.security.length > 0)) {
      const texts = resolvedParametersOf(`get ${path}`).filter(
        (one) => one.in === "query" && one.schema.minLength === 1,
      );
      for (const { name } of texts) {
        const url = `${service.url}/fhir${path}?${encodeURIComponent(name)}=`;
        const { status } = await send(url, { headers: { "x-road-issue": "visit" } });
        if (status < 400) accepted.push(`${path} ${name}`);
      }
    }
    expect(lists.length).toBeGreaterThan(10);
    expect(accepted).toEqual([]);
  });

  test("promises 304 where there is an entity tag, as the CapabilityStatement does", async () => {
    const { json } = await send(`${service.url}/fhir/metadata`);
    const supported: string[] = json.rest[0].resource
      .filter((type: { conditionalRead: string }) => type.conditionalRead === "full-support")
      .map(({ type }: { type: string }) => `/${type}/{id}`);
    const promised = operations
      .filter(({ path, operation }) => path.endsWith("/{id}") && "304" in operation.responses)
      .map(({ path }) => path);
    expect(promised.sort()).toEqual(supported.sort());
    const conditional = operations
      .filter(({ method, path }) =>
        resolvedParametersOf(`${method} ${path}`).some(({ name }) => name === "if-modified-since"),
      )
      .map(({ path }) => path.replace("/_history/{version}", ""));
    expect([...new Set(conditional)].sort()).toEqual(supported.sort());
  });

  test("points to what is in it", () => {
    const refs = [...new Set(refsIn(document))];
    expect(refs.length).toBeGreaterThan(10);
    expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([]);
  });

  test("asks for a token but for what is open", async () => {
    for (const { path, method, operation } of operations.filter(
      (one) => one.operation.security.length === 0,
    )) {
      const base = operation.servers ? "" : "/fhir";
      const response = await fetch(service.url + base + path.replace(/\{\w+\}/g, "x"), {
        method: method.toUpperCase(),
      });
      expect([path, response.status]).not.toEqual([path, 401]);
    }
    const open = operations
      .filter(({ operation }) => operation.security.length === 0)
      .map(({ path }) => path);
    expect(open).toEqual(expect.arrayContaining(["/metadata", "/SearchParameter/{id}", "/health/live"]));
    expect(open.filter((path) => path.startsWith("/Patient"))).toEqual([]);
  });
});

describe("the page to read it by", () => {
  test("tells every operation, and loads and runs nothing", async () => {
    const response = await fetch(`${service.url}/docs`);
    const html = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const { operation } of operations) expect(html).toContain(`id="${operation.operationId}"`);
    expect(html).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son\w+=|style="/);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; /);
    expect(policy).not.toContain("unsafe");
  });

  test("is where the address alone leads to, below the path of a proxy too", async () => {
    const response = await fetch(`${service.url}/`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "docs"]);
    expect((await fetch(service.url)).url).toBe(`${service.url}/docs`);
  });

  test("is not there for writing", async () => {
    expect((await send(`${service.url}/docs`, { method: "POST", body: "{}" })).status).toBe(405);
  });
});
