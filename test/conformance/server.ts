import { expect } from "vitest";
import { stringifyJson } from "../../gateway/fhir/index.ts";
import { marriageOf, spouseOf } from "../gateway/family.ts";
import { type HttpAnswer, type HttpRequest, send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { sendXml } from "../gateway/xml-client.ts";
import type { RunningService } from "../service.ts";

export type Json = Record<string, unknown>;

/** A resource as it was stored. */
export type Stored = Json & {
  readonly id: string;
  readonly resourceType: string;
  readonly meta: { readonly versionId: string; readonly lastUpdated: string };
};

type Headers = Readonly<Record<string, string>>;

/** The service that a rule asks, and how it asks; counts what was asked. */
export interface Server {
  /** Such as http://127.0.0.1:41234/fhir. */
  readonly base: string;
  readonly databaseUrl: string;
  requests(): number;
  /** A path below the base (or a whole address). */
  ask(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  /** The same in XML, held to the schema, and shown as the JSON that says the same. */
  askXml(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  post(path: string, body: Json | readonly Json[], headers?: Headers): Promise<HttpAnswer>;
  put(path: string, body: Json, headers?: Headers): Promise<HttpAnswer>;
  patch(path: string, operations: readonly Json[], headers?: Headers): Promise<HttpAnswer>;
  /** Stores a resource, which must be one that the service takes. */
  store(resource: Json): Promise<Stored>;
  storePatient(changes?: Json): Promise<Stored>;
  storeSpouse(changes?: Json): Promise<Stored>;
  storeMarriage(changes?: Json): Promise<Stored>;
}

export function serverOf(service: RunningService): Server {
  const base = `${service.url}/fhir`;
  let requests = 0;
  const addressOf = (path: string) => {
    requests += 1;
    return path.startsWith("http") ? path : base + path;
  };
  const ask: Server["ask"] = (path, request) => send(addressOf(path), request);
  const write = (method: string, path: string, body: unknown, headers: Headers = {}) =>
    ask(path, { method, headers, body: textOf(body) });
  const store = async (resource: Json): Promise<Stored> => {
    const { status, json, text } = await write("POST", `/${resource["resourceType"]}`, resource);
    expect([status, text]).toEqual([201, expect.anything()]);
    return json;
  };
  const storePatient = (changes: Json = {}) => store(inventedPatient(changes));
  const withPatient = async (dependent: (patient: string) => Json) =>
    store(dependent(`Patient/${(await storePatient()).id}`));
  return {
    base,
    databaseUrl: service.databaseUrl,
    requests: () => requests,
    ask,
    askXml: (path, request) => sendXml(addressOf(path), request),
    post: (path, body, headers) => write("POST", path, body, headers),
    put: (path, body, headers) => write("PUT", path, body, headers),
    patch: (path, operations, headers) =>
      write("PATCH", path, operations, { "content-type": "application/json-patch+json", ...headers }),
    store,
    storePatient,
    storeSpouse: (changes) => withPatient((patient) => spouseOf(patient, changes)),
    storeMarriage: (changes) => withPatient((patient) => marriageOf(patient, changes)),
  };
}

/** What an answer says in short: its status and, of a refusal, the type of its first issue. */
export function refusal({ status, json }: HttpAnswer): [status: number, type: string | undefined] {
  expect(json?.resourceType).toBe("OperationOutcome");
  return [status, json.issue[0].code];
}

/** The address of a link of a Bundle. */
export function linkOf({ json }: HttpAnswer, relation: string): string | undefined {
  const links: { relation: string; url: string }[] = json.link ?? [];
  return links.find((link) => link.relation === relation)?.url;
}

/** The resources of a Bundle's entries that matched. */
export function matchesOf({ json }: HttpAnswer): Stored[] {
  const entries: { resource: Stored; search?: { mode: string } }[] = json.entry ?? [];
  return entries.filter(({ search }) => search?.mode !== "outcome").map(({ resource }) => resource);
}

export function idsOf(answer: HttpAnswer): string[] {
  return matchesOf(answer).map(({ id }) => id);
}

/** system|value of the first identifier, ready for a query. */
export function tokenOf(resource: Json): string {
  const [{ system, value }] = resource["identifier"] as [{ system: string; value: string }];
  return encodeURIComponent(`${system}|${value}`);
}

export const FORM: Headers = { "content-type": "application/x-www-form-urlencoded" };

/** JSON that keeps numbers as they were written, where they are raw. */
function textOf(body: unknown): string {
  return stringifyJson(body as Parameters<typeof stringifyJson>[0]);
}
