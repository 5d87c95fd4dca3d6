import fc from "fast-check";
import { type FhirJson, writeXml } from "../../../gateway/fhir/index.ts";
import type { Json } from "../edited-example.ts";
import { marriageOf, spouseOf } from "../family.ts";
import { fhirPathPatch, patch, resource } from "./bodies.ts";

const ids = fc.constantFrom("1", "2", "3", "10001", "999999");
const types = fc.constantFrom("Patient", "RelatedPerson", "Observation");
const reference = fc.constantFrom("Patient/1", "Patient/2", "urn:uuid:one", "Patient?_id=1", "Patient/x");

/** What belongs to a patient, or to nobody. */
export const dependent: fc.Arbitrary<Json> = fc.oneof(
  fc
    .tuple(reference, fc.uuid())
    .map(([patient, value]) =>
      spouseOf(patient, { identifier: [{ system: "https://fhir.ee/sid/pid/swe/ni", value }] }),
    ),
  reference.map((subject) => marriageOf(subject)),
);

const parsed = resource.filter(isObject).map((text) => JSON.parse(text) as Json);

const condition = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constantFrom({ ifMatch: 'W/"1"' }, { ifNoneExist: "_id=1" }, { ifMatch: 7 }) },
);

const creation = fc.tuple(fc.oneof(parsed, dependent), condition).map(([body, conditions]) => ({
  fullUrl: "urn:uuid:one",
  resource: body,
  request: { method: "POST", url: body["resourceType"] as string, ...conditions },
}));

const update = fc.tuple(fc.oneof(parsed, dependent), ids, condition).map(([body, id, conditions]) => ({
  resource: { ...body, id },
  request: { method: "PUT", url: `${body["resourceType"]}/${id}`, ...conditions },
}));

const reading = fc
  .tuple(
    types,
    ids,
    fc.constantFrom("GET", "DELETE", "HEAD", "PATCH", "POST"),
    fc.constantFrom("", "/_history", "?x"),
  )
  .map(([type, id, method, below]) => ({ request: { method, url: `${type}/${id}${below}` } }));

const patching = fc
  .tuple(
    types,
    ids,
    fc.oneof(
      fhirPathPatch,
      patch.map((operations) => ({
        resourceType: "Binary",
        contentType: "application/json-patch+json",
        data: Buffer.from(operations).toString("base64"),
      })),
    ),
  )
  .map(([type, id, body]) => ({ resource: body, request: { method: "PATCH", url: `${type}/${id}` } }));

const nonsense = fc.oneof(
  fc.constantFrom<Json>({}, { request: {} }, { resource: {} }, { request: { method: "GET", url: "%ZZ" } }),
  fc.tuple(fc.jsonValue({ maxDepth: 1 }), fc.string()).map(([body, url]) => ({
    resource: body,
    request: { method: "POST", url },
  })),
);

/** Batches and transactions, some of whose entries are none. */
export const bundle: fc.Arbitrary<Json> = fc
  .tuple(
    fc.constantFrom("batch", "transaction", "transaction", "collection"),
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: creation },
        { weight: 2, arbitrary: update },
        { weight: 3, arbitrary: reading },
        { weight: 2, arbitrary: patching },
        { weight: 1, arbitrary: nonsense },
      ),
      { maxLength: 4 },
    ),
  )
  .map(([type, entry]) => ({ resourceType: "Bundle", type, entry }));

/** The same in XML. */
export const bundleXml: fc.Arbitrary<string> = bundle.map((json) => writeXml(json as FhirJson));

function isObject(text: string): boolean {
  try {
    const { resourceType } = JSON.parse(text) as Json;
    return typeof resourceType === "string";
  } catch {
    return false;
  }
}
