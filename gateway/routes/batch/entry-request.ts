import { MpiError, refuseFor } from "../../../src/errors/index.ts";
import { fhirJsonType } from "../../exchange/answer-form.ts";
import type { FhirRequest, PartOfRequest } from "../../exchange/fhir-request.ts";
import type { Interaction } from "../../exchange/interaction.ts";
import { type FhirJson, fhirType, treeOf, Walk } from "../../fhir/index.ts";
import { pathPattern, requestName, withDollarSigns } from "../path-pattern.ts";
import type { BundleEntry } from "./entries.ts";

interface Route {
  readonly interaction: Interaction;
  readonly pattern: RegExp;
}

export interface Routes {
  readonly all: readonly Route[];
  /** Those that fit a path, whatever their method. */
  readonly fitting: (path: string) => readonly Route[];
}

/** The request of an entry as it would come alone, and the interaction that answers it. */
export interface EntryRequest {
  readonly interaction: Interaction;
  readonly part: PartOfRequest;
}

export function routesOf(interactions: readonly Interaction[]): Routes {
  const all = interactions.map((interaction) => ({
    interaction,
    pattern: pathPattern("", interaction.path),
  }));
  // The entries of a Bundle mostly have the same path.
  let last: { readonly path: string; readonly fitting: readonly Route[] } | undefined;
  const fitting = (path: string) => {
    if (last?.path !== path) last = { path, fitting: all.filter(({ pattern }) => pattern.test(path)) };
    return last.fitting;
  };
  return { all, fitting };
}

/** The headers of the whole that hold for its entries; made once, for most entries need no others. */
export interface SharedHeaders {
  readonly bare: FhirRequest["headers"];
  /** With the type of a resource. */
  readonly ofResource: FhirRequest["headers"];
}

/** Conditions are the entries' own, and the encoding of the whole body means nothing for them. */
export function sharedHeaders({ headers }: FhirRequest): SharedHeaders {
  const shared = Object.entries(headers).filter(([name]) => !/^(?:if-|content-)/.test(name));
  const bare = Object.fromEntries(shared);
  return { bare, ofResource: { ...bare, "content-type": fhirJsonType } };
}

/** Refused like the request alone when there is no such path, or it does not offer the method. */
export function entryRequest(
  shared: SharedHeaders,
  { method, url, resource, conditions }: BundleEntry,
  routes: Routes,
): EntryRequest {
  const [path = "", query = ""] = splitUrl(url);
  const asked = method === "HEAD" ? "GET" : method;
  const fitting = routes.fitting(path);
  const [known] = fitting;
  if (known === undefined) throw new MpiError("ROUTE_UNKNOWN", { path });
  const route = fitting.find(({ interaction }) => interaction.method === asked);
  if (route === undefined) {
    const interaction = requestName(method, known.interaction.path);
    throw new MpiError("INTERACTION_NOT_OFFERED", { interaction });
  }
  const params = decoded(route.pattern.exec(path)?.groups ?? {});
  const content = contentOf(resource, shared);
  const headers =
    Object.keys(conditions).length === 0 ? content.headers : { ...content.headers, ...conditions };
  return { interaction: route.interaction, part: { ...content, url: `${path}?${query}`, params, headers } };
}

/** The parts of a path that vary, without percent-encodings, as they are of a request alone. */
function decoded(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)] as const),
    );
  } catch (cause) {
    throw new MpiError("ADDRESS_MALFORMED", {}, { cause });
  }
}

/** Path and query of the address of an entry, which is relative to the base. */
export function splitUrl(url: string): [path: string, query: string] {
  const [path = "", ...query] = `/${url.replace(/^\//, "")}`.split("?");
  return [withDollarSigns(path), query.join("?")];
}

/** A resource as it is; a Binary as what it holds, which is how a Bundle carries a JSON Patch (R5 http, 3.2.0.11.2). */
function contentOf(
  resource: FhirJson | undefined,
  { bare, ofResource }: SharedHeaders,
): Pick<PartOfRequest, "body" | "headers" | "resource"> {
  if (resource === undefined) return { body: undefined, headers: bare };
  const { resourceType, contentType, data } = resource;
  if (resourceType === "Binary" && typeof contentType === "string" && typeof data === "string") {
    return { body: bytesOf(resource, data), headers: { ...bare, "content-type": contentType } };
  }
  return { body: undefined, resource, headers: ofResource };
}

/** The bytes that a Binary holds; refused with what is wrong with it. */
function bytesOf(binary: FhirJson, data: string): Buffer {
  const walk = new Walk("Binary");
  treeOf(fhirType("Binary"), binary, walk);
  refuseFor(walk.faults);
  const bytes = Buffer.from(data, "base64");
  // Node passes over what is no base64.
  if (bytes.toString("base64") === data) return bytes;
  const element = "Binary.data";
  throw new MpiError("PRIMITIVE_INVALID", { element, type: "base64Binary" }, { expression: [element] });
}
