import fc from "fast-check";
import { writeXml } from "../../../gateway/fhir/index.ts";
import { fhirPathPatch, patch, resource, resourceXml } from "./bodies.ts";
import { bundle, bundleXml, dependent } from "./bundles.ts";
import type { Invented } from "./invented.ts";
import { plausible } from "./plausible.ts";

const RELATED = `{"resourceType":"RelatedPerson"`;

const values = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "",
    "1",
    "true",
    "name.family",
    "-_lastUpdated",
    "|",
    "a|",
    "|b",
    "\\,",
    "%",
    "💥",
    "9".repeat(300),
  ),
  fc.constantFrom("2020-02-30", "ge2020-01-01", "2020", "9999-12-31T23:59:59Z", "2020-01-01T00:00:00+99:00"),
  fc.constantFrom("https://fhir.ee/sid/pid/fin|X", "urn:oid:1.3.6.1.4.1.28284.6.2.2.1|1", "Patient/1"),
);
const names = fc.constantFrom(
  ...["_id", "_count", "_page", "_sort", "identifier", "birthdate", "deceased", "active", "_lastUpdated"],
  ...["patient-identifier", "_elements", "_summary", "_format", "_pretty", "_total", "_since", "patient"],
  ...["patient.identifier", "subject", "code", "__proto__", ""],
);
const query = fc
  .array(fc.tuple(names, values), { maxLength: 3 })
  .map((pairs) =>
    pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join("&"),
  );
const step = fc.constantFrom(
  "1",
  "2",
  "10001",
  "abc",
  "_history",
  "_search",
  "$match",
  "%E0%A4%A",
  "%00",
  "..",
);
const path = fc
  .tuple(
    fc.constantFrom("/fhir", "/fhir", "/fhir", "/1.1.1/fhir", "/7/fhir", ""),
    fc.constantFrom(
      "Patient",
      "Patient",
      "RelatedPerson",
      "Observation",
      "StructureDefinition",
      "metadata",
      "X",
    ),
    fc.array(step, { maxLength: 3 }),
  )
  .map(([base, type, steps]) => [base, type, ...steps].join("/"));
const conditions = fc.record(
  {
    "accept-language": fc.constantFrom("en", "et;q=0", "*", "-"),
    "if-match": fc.constantFrom('W/"1"', '"1"', "1", "*", 'W/"1", W/"2"'),
    "if-none-match": fc.constantFrom('W/"1"', "*", "x"),
    "if-modified-since": fc.constantFrom("x", "Sat, 21 Nov 2026 13:34:53 GMT"),
    "if-none-exist": fc.constantFrom("_id=1", "identifier=x", "%zz", "birthdate=1980-01-01"),
    prefer: fc.constantFrom("return=minimal", "handling=lenient", "return=OperationOutcome", "a;;b=,"),
    "x-road-id": fc
      .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 300 })
      .map((text) => text.trim()),
  },
  { requiredKeys: [] },
);
const accepted = fc.constantFrom(
  ...["*/*", "application/fhir+json", "application/xml", "application/fhir+xml;q=0.5, */*;q=0.1"],
  ...[";;q", "a/b;q=x"],
);
const contentType = fc.constantFrom(
  ...["application/fhir+json", "application/json", "text/plain", "application/fhir+xml"],
  ...["application/json-patch+json", "application/x-www-form-urlencoded"],
);

const reference = fc
  .tuple(fc.constantFrom("Patient", "RelatedPerson"), fc.constantFrom("1", "2", "3", "10001"))
  .map(([type, id]) => `/fhir/${type}/${id}`);

/** Requests that mean something, beside some that are wild. */
export const requests: fc.Arbitrary<Invented> = fc.oneof(
  { weight: 12, arbitrary: plausible },
  {
    weight: 3,
    arbitrary: fc.tuple(conditions, resource).map(([headers, body]) => ({
      method: "POST",
      path: `/fhir/${body.startsWith(RELATED) ? "RelatedPerson" : "Patient"}`,
      headers: { "content-type": "application/fhir+json", ...headers },
      body,
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(reference, conditions, resource).map(([path, headers, body]) => ({
      method: "PUT",
      path,
      headers: { "content-type": "application/fhir+json", ...headers },
      body,
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(reference, conditions, patch).map(([path, headers, body]) => ({
      method: "PATCH",
      path,
      headers: { "content-type": "application/json-patch+json", ...headers },
      body,
    })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(reference, conditions, resourceXml, fc.constantFrom("POST", "PUT"), accepted)
      .map(([path, headers, body, method, accept]) => ({
        method,
        path:
          method === "PUT" ? path : `/fhir/${body.includes("<RelatedPerson") ? "RelatedPerson" : "Patient"}`,
        headers: { "content-type": "application/fhir+xml", accept, ...headers },
        body,
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(reference, conditions, fhirPathPatch, fc.boolean(), accepted)
      .map(([path, headers, patch, isXml, accept]) => ({
        method: "PATCH",
        path,
        headers: { "content-type": `application/fhir+${isXml ? "xml" : "json"}`, accept, ...headers },
        body: isXml ? writeXml(patch) : JSON.stringify(patch),
      })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom("", "/_history", "/1", "/1/_history"), query, conditions)
      .map(([below, parameters, headers]) => ({
        method: "GET",
        path: `/fhir/Patient${below}?${parameters}`,
        headers,
      })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
        path,
        query,
        fc.record({ accept: accepted, "content-type": contentType }),
        fc.oneof(resource, resourceXml, patch, fc.json(), fc.string({ unit: "binary" })),
      )
      .map(([method, at, parameters, headers, body]) => ({
        method,
        path: `${at}?${parameters}`,
        headers,
        ...(["POST", "PUT", "PATCH"].includes(method) && { body }),
      })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(conditions, accepted, fc.oneof(bundle.map(stringify), bundleXml))
      .map(([headers, accept, body]) => ({
        method: "POST",
        path: "/fhir",
        headers: { "content-type": `application/fhir+${formOf(body)}`, accept, ...headers },
        body,
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom("Patient", "RelatedPerson", "Observation"),
        fc.constantFrom("", "?_id=1", "?patient=Patient/1", "/1", "/10001", "/$validate", "/1/$validate"),
        fc.constantFrom("POST", "PUT", "DELETE"),
        conditions,
        fc.oneof(dependent.map(stringify), resource, resourceXml),
      )
      .map(([type, below, method, headers, body]) => ({
        method,
        path: `/fhir/${type}${below}`,
        headers: { "content-type": `application/fhir+${formOf(body)}`, ...headers },
        ...(method !== "DELETE" && { body }),
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom("Patient/_search", "RelatedPerson/_search", "Observation/_search"),
        query,
        conditions,
      )
      .map(([path, body, headers]) => ({
        method: "POST",
        path: `/fhir/${path}`,
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body,
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("match", "foreign", "lookup", "link", "unlink", "mrn", "name"), resource, query)
      .map(([operation, text, parameters]) => ({
        method: "POST",
        path: `/fhir/Patient/$${operation}?${parameters}`,
        headers: { "content-type": "application/fhir+json" },
        body: `{"resourceType":"Parameters","parameter":[{"name":"resource","resource":${text}}]}`,
      })),
  },
);

function stringify(json: object): string {
  return JSON.stringify(json);
}

function formOf(body: string): "xml" | "json" {
  return body.startsWith("<") ? "xml" : "json";
}
