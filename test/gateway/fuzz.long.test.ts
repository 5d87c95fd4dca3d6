import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchAs } from "../callers.ts";
import { type RunningService, startService } from "../service.ts";
import { editedExample, type Json } from "./edited-example.ts";

const RUNS = 8_000;
const RELATED = `{"resourceType":"RelatedPerson"`;
const folder = dirname(createRequire(import.meta.url).resolve("hl7.fhir.r5.examples/package.json"));
const examples = readdirSync(folder)
  .filter((file) => /^(?:Patient|RelatedPerson)-/.test(file))
  .map((file) => readFileSync(join(folder, file), "utf8"))
  .filter((text) => text.length < 30_000);

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

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
const accepted = fc.constantFrom("*/*", "application/fhir+json", "application/xml", ";;q", "a/b;q=x");
const contentType = fc.constantFrom(
  ...["application/fhir+json", "application/json", "text/plain", "application/fhir+xml"],
  ...["application/json-patch+json", "application/x-www-form-urlencoded"],
);
const whole = fc.tuple(fc.constantFrom(...examples), fc.nat()).map(([text, at]) => resourceOf(text, at));
const resource = fc.oneof(
  whole,
  fc.tuple(whole, fc.nat(), fc.json({ maxDepth: 2 })).map(([json, at, value]) => mutated(json, at, value)),
);
const patch = fc
  .array(
    fc.record({
      op: fc.constantFrom("add", "remove", "copy", "test", "replace", "move"),
      path: pointer(),
      from: pointer(),
      value: fc.jsonValue({ maxDepth: 1 }),
    }),
    { maxLength: 3 },
  )
  .map((operations) => JSON.stringify(operations));

interface Invented {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const reference = fc
  .tuple(fc.constantFrom("Patient", "RelatedPerson"), fc.constantFrom("1", "2", "3", "10001"))
  .map(([type, id]) => `/fhir/${type}/${id}`);

/** Requests that mean something, beside some that are wild. */
const requests: fc.Arbitrary<Invented> = fc.oneof(
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
        fc.oneof(resource, patch, fc.json(), fc.string({ unit: "binary" })),
      )
      .map(([method, at, parameters, headers, body]) => ({
        method,
        path: `${at}?${parameters}`,
        headers,
        ...(["POST", "PUT", "PATCH"].includes(method) && { body }),
      })),
  },
);

test(`of ${RUNS} invented requests none is answered with 5xx, and every refusal is an OperationOutcome`, async () => {
  const met = new Set<number>();
  await fc.assert(
    fc.asyncProperty(requests, async ({ path: target, ...request }) => {
      const response = await fetchAs(`${service.url}${target}`, {
        ...request,
        signal: AbortSignal.timeout(10_000),
      });
      const text = await response.text();
      met.add(response.status);
      expect(response.status).toBeLessThan(500);
      if (response.status >= 400 && request.method !== "HEAD") expect(isOutcome(JSON.parse(text))).toBe(true);
    }),
    { numRuns: RUNS },
  );
  // Else they would have failed at the door, all of them.
  const every = [200, 201, 304, 400, 404, 405, 406, 409, 412, 415, 422];
  expect([...met].sort()).toEqual(expect.arrayContaining(every));
}, 600_000);

/** An example that the index takes. */
function resourceOf(text: string, at: number): string {
  const example = JSON.parse(text) as Json;
  if (example["resourceType"] === "Patient") return JSON.stringify(editedExample(example, `F${at}`));
  const profile = ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-related-person"];
  return JSON.stringify({ ...example, meta: { profile }, patient: { reference: `Patient/${(at % 3) + 1}` } });
}

/** JSON with one value somewhere in it replaced by the text of another. */
function mutated(json: string, at: number, replacement: string): string {
  const spots = [...json.matchAll(/:("[^"]*"|true|false|\d+)/g)];
  const spot = spots[at % spots.length];
  if (spot === undefined || spot[1]?.includes("Patient")) return json;
  return `${json.slice(0, spot.index + 1)}${replacement}${json.slice(spot.index + spot[0].length)}`;
}

function pointer(): fc.Arbitrary<string> {
  const steps = fc.constantFrom("name", "0", "-", "given", "gender", "extension", "__proto__", "~1", "~2");
  return fc.array(steps, { maxLength: 3 }).map((parts) => parts.map((part) => `/${part}`).join(""));
}

function isOutcome(json: { resourceType?: unknown; issue?: unknown }): boolean {
  const issues = Array.isArray(json.issue) ? json.issue : [];
  return (
    json.resourceType === "OperationOutcome" &&
    issues.length > 0 &&
    issues.every(({ severity, code, details }) => severity && code && details?.text)
  );
}
