import fc from "fast-check";
import { whole } from "./bodies.ts";
import { dependent } from "./bundles.ts";
import type { Invented } from "./invented.ts";

const JSON_BODY = { "content-type": "application/fhir+json" };

const stored = fc.constantFrom(
  ...["Patient/1", "Patient/2", "Patient/3", "RelatedPerson/10001", "RelatedPerson/20001"],
  ...["Observation/10001", "Observation/10002", "Observation/20001", "Observation/20002"],
);

const light = fc.record(
  {
    accept: fc.constantFrom("application/fhir+json", "application/fhir+xml"),
    "if-none-match": fc.constantFrom('W/"1"', 'W/"2"', "*"),
    "if-modified-since": fc.constantFrom("Sat, 01 Jan 2022 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT"),
    prefer: fc.constantFrom("return=minimal", "return=OperationOutcome", "handling=lenient"),
    "accept-encoding": fc.constantFrom("gzip", "identity"),
  },
  { requiredKeys: [] },
);

const searches = fc.constantFrom(
  ...["Patient?_id=1", "Patient?_id=1,2,3&_sort=birthdate", "Patient?birthdate=ge1900-01-01&_count=3"],
  ...[
    "Patient?active=true&_summary=count",
    "Patient?_lastUpdated=ge2020&_count=2&_page=2&_elements=name.family",
  ],
  ...["Patient/_history?_count=3", "Patient/_history?_since=2020-01-01T00:00&_sort=_lastUpdated&_count=2"],
  ...["RelatedPerson?patient=Patient/1", "Observation?subject=Patient/1&code=125680007", "metadata"],
  ...["Patient?patient-identifier=https://fhir.ee/sid/pid/fin/ppn|F1,https://fhir.ee/sid/pid/fin/ppn|F2"],
  ...["StructureDefinition", "SearchParameter?base=Patient", "Patient/$mrn", "AuditEvent?patient=Patient/1"],
);

/** Requests that a server is asked every day. */
export const plausible: fc.Arbitrary<Invented> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(stored, fc.constantFrom("", "", "/_history", "/_history/1", "?_summary=true"), light)
      .map(([path, below, headers]) => ({ method: "GET", path: `/fhir/${path}${below}`, headers })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(searches, light)
      .map(([search, headers]) => ({ method: "GET", path: `/fhir/${search}`, headers })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(whole, light).map(([body, headers]) => ({
      method: "POST",
      path: `/fhir/${typeOf(body)}`,
      headers: { ...headers, ...JSON_BODY },
      body,
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(dependent, light).map(([body, headers]) => ({
      method: "POST",
      path: `/fhir/${body["resourceType"]}`,
      headers: { ...headers, ...JSON_BODY },
      body: JSON.stringify(body),
    })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(stored, fc.constantFrom("male", "female", "other", "unknown"))
      .map(([path, value]) => ({
        method: "PATCH",
        path: `/fhir/${path}`,
        headers: { "content-type": "application/json-patch+json" },
        body: JSON.stringify([{ op: "replace", path: "/gender", value }]),
      })),
  },
  { weight: 1, arbitrary: stored.map((path) => ({ method: "DELETE", path: `/fhir/${path}`, headers: {} })) },
);

function typeOf(body: string): string {
  return (JSON.parse(body) as { resourceType: string }).resourceType;
}
