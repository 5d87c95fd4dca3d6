import { type Fault, fault, MpiError, refuseFor } from "../../../src/errors/index.ts";
import type { FhirJson, JsonValue } from "../../fhir/index.ts";

/** A Bundle of requests. */
export interface RequestBundle {
  readonly type: BundleType;
  readonly entries: readonly BundleEntry[];
}

/** An entry of a Bundle of requests: a request with what FHIR lets it have of headers. */
export interface BundleEntry {
  /** Among the entries of the Bundle, from 0. */
  readonly place: number;
  /** By which other entries name its resource. */
  readonly fullUrl: string;
  readonly method: string;
  /** Path and query below the base, such as Patient/7. */
  readonly url: string;
  readonly resource: FhirJson | undefined;
  readonly conditions: Readonly<Record<string, string>>;
}

const bundleTypes = ["batch", "transaction"] as const;
type BundleType = (typeof bundleTypes)[number];

/** Entries that one Bundle may have. */
const MOST_ENTRIES = 200;

/** The headers of the elements of Bundle.entry.request. */
const conditionHeaders = {
  ifMatch: "if-match",
  ifNoneMatch: "if-none-match",
  ifModifiedSince: "if-modified-since",
  ifNoneExist: "if-none-exist",
} as const;

/** A Bundle of type batch or transaction; refused with all that is wrong with it (MPI-096). */
export function requestBundle(json: JsonValue): RequestBundle {
  if (!isObject(json) || json["resourceType"] !== "Bundle") {
    throw new MpiError("RESOURCE_TYPE_WRONG", { expected: "Bundle" }, { expression: ["Bundle"] });
  }
  const type = bundleTypes.find((one) => one === json["type"]);
  if (type === undefined) {
    const element = "Bundle.type";
    const allowed = bundleTypes.join(", ");
    throw new MpiError("VALUE_NOT_ALLOWED", { element, allowed }, { expression: [element] });
  }
  const entries = json["entry"] ?? [];
  if (!Array.isArray(entries)) throw MpiError.of([typeFault("Bundle.entry", "array")]);
  if (entries.length > MOST_ENTRIES) {
    const parameters = { element: "Bundle.entry", max: String(MOST_ENTRIES) };
    throw new MpiError("ELEMENT_REPEATED_TOO_OFTEN", parameters, { expression: ["Bundle.entry"] });
  }
  const faults = entries.flatMap((entry, index) => faultsOf(entry, `Bundle.entry[${index}]`));
  refuseFor(faults);
  return { type, entries: entries.map(readEntry) };
}

function faultsOf(entry: JsonValue, path: string): Fault[] {
  const request = isObject(entry) ? entry["request"] : undefined;
  if (!isObject(request)) return [missing(`${path}.request`)];
  const required = (["method", "url"] as const)
    .filter((name) => typeof request[name] !== "string")
    .map((name) => missing(`${path}.request.${name}`));
  const resource = isObject(entry) ? entry["resource"] : undefined;
  const ofResource =
    resource === undefined || isObject(resource) ? [] : [typeFault(`${path}.resource`, "object")];
  return [...required, ...ofResource];
}

interface GivenEntry {
  readonly fullUrl?: JsonValue;
  readonly request: Readonly<Record<string, string>>;
  readonly resource?: FhirJson;
}

function readEntry(entry: JsonValue, place: number): BundleEntry {
  const { request, resource, fullUrl } = entry as unknown as GivenEntry;
  const conditions = Object.entries(conditionHeaders)
    .filter(([element]) => typeof request[element] === "string")
    .map(([element, header]) => [header, request[element] ?? ""] as const);
  return {
    place,
    fullUrl: typeof fullUrl === "string" ? fullUrl : "",
    method: request["method"] ?? "",
    url: request["url"] ?? "",
    resource,
    conditions: Object.fromEntries(conditions),
  };
}

function missing(element: string): Fault {
  return fault("ELEMENT_MISSING", { element }, { expression: [element] });
}

function typeFault(element: string, expected: string): Fault {
  return fault("ELEMENT_TYPE_WRONG", { element, expected }, { expression: [element] });
}

function isObject(json: JsonValue): json is FhirJson {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
