import type { HttpRequest } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

/** A request that is wrong, and how it must be answered. */
export interface BadInput extends HttpRequest {
  readonly what: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  /** The expressions of the issues, in their order. */
  readonly expression: readonly string[];
}

const post = { method: "POST", path: "/fhir/Patient" } as const;
const structure = { ...post, status: 400, code: "MPI-096" } as const;
const get = { method: "GET" } as const;

function patient(changes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(inventedPatient(changes));
}

export const bodies: readonly BadInput[] = [
  { what: "no body", ...structure, headers: { "content-type": "application/json" }, expression: [] },
  { what: "half a JSON text", ...structure, body: '{"resourceType":"Patient"', expression: [] },
  { what: "bytes that are no UTF-8", ...structure, body: new Uint8Array([0x22, 0xff, 0x22]), expression: [] },
  { what: "an array", ...structure, body: "[]", expression: ["Patient"] },
  { what: "no resourceType", ...structure, body: "{}", expression: ["Patient"] },
  {
    what: "another resourceType",
    ...structure,
    body: '{"resourceType":"Practitioner"}',
    expression: ["Patient"],
  },
  {
    what: "unknown elements, all of them",
    ...structure,
    body: patient({ colour: "red", size: 1 }),
    expression: ["Patient.colour", "Patient.size"],
  },
  {
    what: "an element named twice",
    ...structure,
    body: patient({}).replace("{", '{"gender":"male",'),
    expression: ["Patient.gender"],
  },
  { what: "null", ...structure, body: patient({ gender: null }), expression: ["Patient.gender"] },
  {
    what: "an object in place of an array",
    ...structure,
    body: patient({ name: { family: "Virtanen" } }),
    expression: ["Patient.name"],
  },
  { what: "an empty array", ...structure, body: patient({ photo: [] }), expression: ["Patient.photo"] },
  {
    what: "an empty string deep inside",
    ...structure,
    body: patient({ name: [{ use: "official", family: "Virtanen", given: ["Aino", ""] }] }),
    expression: ["Patient.name[0].given[1]"],
  },
  {
    what: "a day that no calendar has",
    ...structure,
    body: patient({ birthDate: "1980-02-30" }),
    expression: ["Patient.birthDate"],
  },
  {
    what: "two values of one choice",
    ...structure,
    body: patient({ deceasedBoolean: false, deceasedDateTime: "2020-01-01" }),
    expression: ["Patient.deceased"],
  },
  {
    what: "a missing required element",
    ...structure,
    body: patient({ link: [{ type: "seealso" }] }),
    expression: ["Patient.link[0].other"],
  },
  {
    what: "an unknown profile",
    ...structure,
    code: "MPI-023",
    body: patient({ meta: { profile: ["http://example.org/StructureDefinition/other"] } }),
    expression: ["Patient.meta.profile[0]"],
  },
  {
    what: "no profile",
    ...structure,
    code: "MPI-024",
    body: patient({ meta: undefined }),
    expression: ["Patient.meta.profile"],
  },
  {
    what: "no identifier",
    ...structure,
    code: "MPI-016",
    body: patient({ identifier: undefined }),
    expression: ["Patient.identifier"],
  },
  {
    what: "an unknown identifier system",
    ...structure,
    code: "MPI-025",
    body: patient({ identifier: [{ system: "https://example.org/number", value: "1" }] }),
    expression: ["Patient.identifier[0].system"],
  },
];

export const exchanges: readonly BadInput[] = [
  {
    what: "a body of another type",
    ...post,
    headers: { "content-type": "text/plain" },
    body: "Patient",
    status: 415,
    code: "MPI-400",
    expression: ["http.content-type"],
  },
  {
    what: "a body of what is no type",
    ...post,
    headers: { "content-type": "json" },
    body: "{}",
    status: 415,
    code: "MPI-400",
    expression: ["http.content-type"],
  },
  {
    what: "a body in another character set",
    ...post,
    headers: { "content-type": "application/fhir+json; charset=iso-8859-1" },
    body: "{}",
    status: 415,
    code: "MPI-400",
    expression: ["http.content-type"],
  },
  {
    what: "a body of another version of FHIR",
    ...post,
    headers: { "content-type": "application/fhir+json; fhirVersion=4.0" },
    body: "{}",
    status: 415,
    code: "MPI-400",
    expression: ["http.content-type"],
  },
  {
    what: "a body in a compression",
    ...post,
    headers: { "content-type": "application/fhir+json", "content-encoding": "gzip" },
    body: "{}",
    status: 415,
    code: "MPI-400",
    expression: ["http.content-encoding"],
  },
  {
    what: "a body larger than the limit",
    ...post,
    body: " ".repeat(1024 * 1024 + 1),
    status: 413,
    code: "MPI-400",
    expression: [],
  },
  {
    what: "an If-Match that is no entity tag",
    method: "PUT",
    path: "/fhir/Patient/1",
    headers: { "if-match": "1" },
    body: patient({}),
    status: 400,
    code: "MPI-096",
    expression: ["http.if-match"],
  },
  {
    what: "an If-None-Match of a write that is no entity tag, beside such an If-Match",
    method: "PUT",
    path: "/fhir/Patient/1",
    headers: { "if-match": "1", "if-none-match": '"1", 2' },
    body: patient({}),
    status: 400,
    code: "MPI-096",
    expression: ["http.if-match", "http.if-none-match"],
  },
  {
    what: "an If-None-Match that is no entity tag, of a write that would create",
    method: "PUT",
    path: "/fhir/Patient?identifier=https://fhir.ee/sid/pid/swe/ni|7",
    headers: { "if-none-match": "3" },
    body: patient({}),
    status: 400,
    code: "MPI-096",
    expression: ["http.if-none-match"],
  },
  {
    what: "an If-None-Match that is no entity tag, of a deletion",
    method: "DELETE",
    path: "/fhir/RelatedPerson?patient=1",
    headers: { "if-none-match": "" },
    status: 400,
    code: "MPI-096",
    expression: ["http.if-none-match"],
  },
  {
    what: "an Accept that asks for Turtle",
    ...get,
    path: "/fhir/Patient/1",
    headers: { accept: "application/fhir+turtle" },
    status: 406,
    code: "MPI-400",
    expression: ["http.accept"],
  },
  {
    what: "an Accept that excludes JSON and XML",
    ...get,
    path: "/fhir/Patient/1",
    headers: { accept: "text/html, application/*;q=0" },
    status: 406,
    code: "MPI-400",
    expression: ["http.accept"],
  },
  {
    what: "a version of the contract that there is not",
    ...get,
    path: "/2.0.0/fhir/Patient/1",
    status: 404,
    code: "MPI-400",
    expression: [],
  },
  { what: "an unknown route", ...get, path: "/fhir/Planet/1", status: 404, code: "MPI-400", expression: [] },
  {
    what: "a method that is not offered",
    method: "DELETE",
    path: "/fhir/Patient/1",
    status: 405,
    code: "MPI-403",
    expression: [],
  },
  {
    what: "a path with half a percent-encoding",
    ...get,
    path: "/fhir/Patient/%E0%A4%A",
    status: 400,
    code: "MPI-400",
    expression: [],
  },
  {
    what: "an id that is none",
    ...get,
    path: "/fhir/Patient/abc",
    status: 404,
    code: "MPI-072",
    expression: [],
  },
  {
    what: "an id of 300 characters",
    ...get,
    path: `/fhir/Patient/${"1".repeat(300)}`,
    status: 404,
    code: "MPI-072",
    expression: [],
  },
  {
    what: "a version that is none",
    ...get,
    path: "/fhir/Patient/1/_history/first",
    status: 404,
    code: "MPI-072",
    expression: [],
  },
];

export const parameters: readonly BadInput[] = (
  [
    ["no parameter", "", "MPI-015", []],
    ["an unknown parameter", "?colour=red&_id=1", "MPI-015", ["http.colour"]],
    ["a parameter without a name", "?_id=1&=x", "MPI-015", ["http"]],
    ["a parameter of a read without a name", "/1?=x", "MPI-015", ["http"]],
    ["a malformed parameter without a name", "?=%E0%A4%A", "MPI-096", ["http"]],
    ["an identifier without a bar", "?identifier=123", "MPI-015", ["http.identifier"]],
    ["a parameter given twice", "?_id=1&_id=2", "MPI-080", ["http._id"]],
    ["two values of one parameter", "?active=true,false", "MPI-075", ["http.active"]],
    ["a birthdate that is no day", "?birthdate=1980", "MPI-076", ["http.birthdate"]],
    ["a sort key that is not offered", "?_id=1&_sort=name", "MPI-037", ["http._sort"]],
    ["a _count that is no number", "?_id=1&_count=ten", "MPI-015", ["http._count"]],
    ["_summary given twice", "?_id=1&_summary=true&_summary=data", "MPI-080", ["http._summary"]],
    ["_summary with two values", "?_id=1&_summary=true,false", "MPI-075", ["http._summary"]],
    ["_summary with two values of a read", "/1?_summary=true,false", "MPI-075", ["http._summary"]],
    ["_total given twice", "?_id=1&_total=none&_total=accurate", "MPI-080", ["http._total"]],
    ["_total with two values", "?_id=1&_total=none,accurate", "MPI-075", ["http._total"]],
    ["a _total that is none", "?_id=1&_total=some", "MPI-015", ["http._total"]],
    ["no element of a read", "/1?_elements=", "MPI-015", ["http._elements"]],
    ["half a percent-encoding", "?identifier=%E0%A4%A", "MPI-096", ["http.identifier"]],
    ["a NUL", "?identifier=%00", "MPI-096", ["http.identifier"]],
    ["an unknown _format", "?_id=1&_format=turtle", "MPI-400", ["http._format"]],
    ["a _pretty that is no boolean", "?_id=1&_pretty=very", "MPI-096", ["http._pretty"]],
    ["an element that no patient has", "?_id=1&_elements=colour", "MPI-015", ["http._elements"]],
    ["a _since that is no time", "/_history?_since=yesterday", "MPI-096", ["http._since"]],
    ["a _count of a history below zero", "/_history?_count=-1", "MPI-096", ["http._count"]],
    ["a sort key that a history has not", "/_history?_sort=name", "MPI-037", ["http._sort"]],
    ["an unknown parameter of a history", "/_history?colour=red", "MPI-015", ["http.colour"]],
    ["an unknown parameter of a read", "/1?colour=red", "MPI-015", ["http.colour"]],
  ] as const
).map(([what, query, code, expression]) => ({
  what,
  ...get,
  path: `/fhir/Patient${query}`,
  status: code === "MPI-400" ? 406 : 400,
  code,
  expression,
}));
