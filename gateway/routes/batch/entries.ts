import { type Fault, fault, MpiError, refuseFor } from "../../../src/errors/index.ts";
import type { FhirJson, JsonValue } from "../../fhir/index.ts";

/** An entry of a batch: a request with what FHIR lets it have of headers. */
export interface BatchEntry {
  readonly method: string;
  /** Path and query below the base, such as Patient/7. */
  readonly url: string;
  readonly resource: FhirJson | undefined;
  readonly conditions: Readonly<Record<string, string>>;
}

/** Entries that one batch may have. */
const MOST_ENTRIES = 200;

/** The headers of the elements of Bundle.entry.request. */
const conditionHeaders = {
  ifMatch: "if-match",
  ifNoneMatch: "if-none-match",
  ifModifiedSince: "if-modified-since",
  ifNoneExist: "if-none-exist",
} as const;

/** The entries of a Bundle of type batch; refused with all that is wrong with it (MPI-096). */
export function batchEntries(json: JsonValue): BatchEntry[] {
  if (!isObject(json) || json["resourceType"] !== "Bundle") {
    throw new MpiError("RESOURCE_TYPE_WRONG", { expected: "Bundle" }, { expression: ["Bundle"] });
  }
  if (json["type"] !== "batch") {
    const element = "Bundle.type";
    throw new MpiError("VALUE_NOT_ALLOWED", { element, allowed: "batch" }, { expression: [element] });
  }
  const entries = json["entry"] ?? [];
  if (!Array.isArray(entries)) throw MpiError.of([typeFault("Bundle.entry", "array")]);
  if (entries.length > MOST_ENTRIES) {
    const parameters = { element: "Bundle.entry", max: String(MOST_ENTRIES) };
    throw new MpiError("ELEMENT_REPEATED_TOO_OFTEN", parameters, { expression: ["Bundle.entry"] });
  }
  const faults = entries.flatMap((entry, index) => faultsOf(entry, `Bundle.entry[${index}]`));
  refuseFor(faults);
  return entries.map(readEntry);
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

function readEntry(entry: JsonValue): BatchEntry {
  const { request, resource } = entry as { request: Record<string, string>; resource?: FhirJson };
  const conditions = Object.entries(conditionHeaders)
    .filter(([element]) => typeof request[element] === "string")
    .map(([element, header]) => [header, request[element] ?? ""] as const);
  return {
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
