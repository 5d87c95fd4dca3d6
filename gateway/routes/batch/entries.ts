import { type Fault, fault, MpiError, refuseFor } from "../../../src/errors/index.ts";
import { type FhirJson, fhirType, isJsonObject, type JsonValue, treeOf, Walk } from "../../fhir/index.ts";

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

/**
 * A Bundle of type batch or transaction; refused whole with all that is wrong with its structure (MPI-096), but for the
 * resources in it, which are read with their entries.
 */
export function requestBundle(json: JsonValue): RequestBundle {
  if (!isJsonObject(json) || json["resourceType"] !== "Bundle") {
    throw new MpiError("RESOURCE_TYPE_WRONG", { expected: "Bundle" }, { expression: ["Bundle"] });
  }
  const type = bundleTypes.find((one) => one === json["type"]);
  if (type === undefined) {
    const element = "Bundle.type";
    const allowed = bundleTypes.join(", ");
    throw new MpiError("VALUE_NOT_ALLOWED", { element, allowed }, { expression: [element] });
  }
  const entries = Array.isArray(json["entry"]) ? json["entry"] : [];
  if (entries.length > MOST_ENTRIES) {
    const parameters = { element: "Bundle.entry", max: String(MOST_ENTRIES) };
    throw new MpiError("ELEMENT_REPEATED_TOO_OFTEN", parameters, { expression: ["Bundle.entry"] });
  }
  const walk = new Walk("Bundle");
  treeOf(fhirType("Bundle"), json, walk);
  refuseFor([...walk.faults, ...entries.flatMap(missingIn)]);
  return { type, entries: entries.map(readEntry) };
}

/** What an entry lacks; elements of a wrong JSON type are reported elsewhere. */
function missingIn(entry: JsonValue, place: number): Fault[] {
  if (!isJsonObject(entry)) return [];
  const { request } = entry;
  const path = `Bundle.entry[${place}].request`;
  if (request === undefined) return [missing(path)];
  if (!isJsonObject(request)) return [];
  return ["method", "url"]
    .filter((name) => request[name] === undefined)
    .map((name) => missing(`${path}.${name}`));
}

interface GivenEntry {
  readonly fullUrl?: string;
  readonly request: Readonly<Record<string, string>>;
  readonly resource?: FhirJson;
}

function readEntry(entry: JsonValue, place: number): BundleEntry {
  const { request, resource, fullUrl = "" } = entry as GivenEntry;
  const { method = "", url = "" } = request;
  const conditions = Object.entries(conditionHeaders).flatMap(([element, header]) => {
    const condition = request[element];
    return condition === undefined ? [] : [[header, condition] as const];
  });
  return { place, fullUrl, method, url, resource, conditions: Object.fromEntries(conditions) };
}

function missing(element: string): Fault {
  return fault("ELEMENT_MISSING", { element }, { expression: [element] });
}
