import { callsOf, changesOfPatients, type Parameter } from "./grpc-calls.ts";
import type { Exchange, HttpRequest, Json } from "./scenario.ts";

export const FHIR_JSON = { "content-type": "application/fhir+json" };

/** Reads such as `Patient/7`, whole or by some of its elements. */
export function reads(reference: string, elements: readonly string[] = []): Exchange {
  const { type, id } = parts(reference);
  const query = elements.length === 0 ? "" : `?_elements=${elements.join(",")}`;
  return {
    http: { method: "GET", path: `/${reference}${query}` },
    grpc: callsOf(type).read(id, [...elements]),
  };
}

export function readsVersion(reference: string, versionId: string): Exchange {
  const { type, id } = parts(reference);
  return {
    http: { method: "GET", path: `/${reference}/_history/${versionId}` },
    grpc: callsOf(type).readVersion(id, versionId),
  };
}

export function creates(body: Json): Exchange {
  return { http: posts(body), grpc: callsOf(typeOf(body)).create(body) };
}

export function updates(id: string, body: Json, etag?: string): Exchange {
  return { http: puts(id, body, etag), grpc: callsOf(typeOf(body)).update(id, body, etag ?? "") };
}

/** Deletes such as `RelatedPerson/70001`. */
export function removes(reference: string, etag?: string): Exchange {
  const { type, id } = parts(reference);
  const grpc = callsOf(type).remove?.(id, etag ?? "");
  return {
    http: { method: "DELETE", path: `/${reference}`, headers: ifMatch(etag) },
    ...(grpc && { grpc }),
  };
}

/** A search by these parameters, in their order. */
export function searches(type: string, ...parameters: readonly Parameter[]): Exchange {
  return {
    http: { method: "GET", path: `/${type}?${new URLSearchParams(parameters.map((pair) => [...pair]))}` },
    grpc: callsOf(type).search(parameters),
  };
}

/** The history of a resource, from its beginning or a later page of it. */
export function listsHistory(reference: string, pageToken = ""): Exchange {
  const { type, id } = parts(reference);
  const query = pageToken === "" ? "" : `?_page=${pageToken}`;
  return {
    http: { method: "GET", path: `/${reference}/_history${query}` },
    grpc: callsOf(type).history(id, pageToken),
  };
}

/** A page of the feed of all patients. */
export function listsChanges(pageToken: string): Exchange {
  return {
    http: { method: "GET", path: `/Patient/_history?_page=${pageToken}` },
    grpc: changesOfPatients(pageToken),
  };
}

export function posts(body: Json): HttpRequest {
  return { method: "POST", path: `/${typeOf(body)}`, headers: FHIR_JSON, body };
}

/** POST of a text that may be no resource. */
export function postsText(type: string, body: string): HttpRequest {
  return { method: "POST", path: `/${type}`, headers: FHIR_JSON, body };
}

/** POST of an XML text. */
export function postsXml(type: string, body: string): HttpRequest {
  return { method: "POST", path: `/${type}`, headers: { "content-type": "application/fhir+xml" }, body };
}

export function puts(id: string, body: Json, etag?: string): HttpRequest {
  const headers = { ...FHIR_JSON, ...ifMatch(etag) };
  return { method: "PUT", path: `/${typeOf(body)}/${id}`, headers, body };
}

function ifMatch(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { "if-match": etag };
}

function typeOf(body: Json): string {
  return String(body["resourceType"]);
}

function parts(reference: string): { type: string; id: string } {
  const [type = "", id = ""] = reference.split("/");
  return { type, id };
}
