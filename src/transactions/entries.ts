import type { Message } from "@bufbuild/protobuf";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import type { TransactionEntry } from "#proto/patientindex/v1/transaction_service_pb.ts";
import { type Fault, fault, refuseFor } from "../errors/index.ts";
import { isTooLong, plainFullUrl, rootOf } from "./full-urls.ts";

/** In the order in which they are written: those that others refer to first. */
const types = ["Patient", "RelatedPerson", "Observation"] as const;
/** In the order in which they are done (R5 http, 3.2.0.11.2). */
const verbs = ["delete", "create", "update", "read"] as const;

export type ResourceType = (typeof types)[number];
export type Verb = (typeof verbs)[number];

/** The method of a service, named as the cases of TransactionEntry.request are. */
export type MethodName = NonNullable<TransactionEntry["request"]["case"]>;

/** One thing to be done. */
export interface Entry {
  /** Among the entries of the request, from 0. */
  readonly place: number;
  readonly type: ResourceType;
  readonly verb: Verb;
  readonly method: MethodName;
  readonly request: Message;
  /** As `plainFullUrl` writes it; empty when no other entry refers to it. */
  readonly fullUrl: string;
  /** That of its full URL, below which its relative references are; empty when it has none. */
  readonly root: string;
  readonly criteria: readonly SearchParameter[];
  /** Of an update: that nobody fits the criteria refuses it. */
  readonly mustExist: boolean;
  /** What fits the criteria must be at none of these versions. */
  readonly unwantedEtags: readonly string[];
  /** The references in its resource are none to other entries, nor searches. */
  readonly literalReferences: boolean;
  /** Of the resource, where the request names it. */
  readonly id: string;
}

/** A transaction of more is refused as a whole. */
export const mostEntries = 200;

const methods: ReadonlyMap<string, { readonly type: ResourceType; readonly verb: Verb }> = new Map(
  types.flatMap((type): [string, { type: ResourceType; verb: Verb }][] => [
    [`delete${type}`, { type, verb: "delete" }],
    [`create${type}`, { type, verb: "create" }],
    [`update${type}`, { type, verb: "update" }],
    [`read${type}`, { type, verb: "read" }],
    [`read${type}Version`, { type, verb: "read" }],
    [`search${type}s`, { type, verb: "read" }],
    [`list${type}History`, { type, verb: "read" }],
  ]),
);

/** The entries of a transaction, refused with all that is wrong with them as entries. */
export function readEntries(given: readonly TransactionEntry[]): Entry[] {
  if (given.length > mostEntries) {
    const parameters = { element: "Bundle.entry", max: String(mostEntries) };
    refuseFor([fault("ELEMENT_REPEATED_TOO_OFTEN", parameters, { expression: ["Bundle.entry"] })]);
  }
  const entries = given.flatMap((entry, place) => readEntry(entry, place) ?? []);
  refuseFor([
    ...given.flatMap(({ request }, place) => (request.case ? [] : [missingRequest(place)])),
    ...given.flatMap(({ fullUrl }, place) => (isTooLong(fullUrl) ? [noFullUrl(place)] : [])),
    ...repeatedFullUrls(entries),
    ...namedTwice(entries),
  ]);
  return entries;
}

/** One entry; undefined when it asks for nothing. */
export function readEntry(given: TransactionEntry, place: number): Entry | undefined {
  const { request, criteria, mustExist, unwantedEtags, literalReferences } = given;
  const known = request.case === undefined ? undefined : methods.get(request.case);
  if (request.case === undefined || !known) return undefined;
  const id = "id" in request.value ? request.value.id : "";
  const fullUrl = isTooLong(given.fullUrl) ? "" : plainFullUrl(given.fullUrl);
  const conditions = { criteria, mustExist, unwantedEtags, literalReferences };
  return {
    ...known,
    place,
    method: request.case,
    request: request.value,
    fullUrl,
    root: rootOf(fullUrl),
    ...conditions,
    id,
  };
}

/**
 * Entries in the order in which they are to be done. New patients come in the order of their identifiers, whatever the order
 * of the request: two transactions that take the same ones then meet at the first, and none waits for the other in
 * a circle. Primaries come before others of their groups: what these are given makes a version of the primary too, and
 * an entry holds the primary to the version that it was at before the transaction.
 */
export function inOrder<Of extends { readonly entry: Entry }>(
  given: readonly Of[],
  primaries: ReadonlySet<string>,
): Of[] {
  const firsts = new Map(given.map(({ entry }) => [entry, firstIdentifier(entry)]));
  const first = (entry: Entry) => firsts.get(entry) ?? "";
  const isPrimary = ({ type, id }: Entry) => type === "Patient" && primaries.has(id);
  return given.toSorted(
    ({ entry: one }, { entry: other }) =>
      rank(one) - rank(other) ||
      compare(first(one), first(other)) ||
      Number(isPrimary(other)) - Number(isPrimary(one)) ||
      one.place - other.place,
  );
}

/** Entries that change the same resource: which of them comes first would decide (R5 http, 3.2.0.11.2). */
export function sameResourceTwice(entries: readonly Entry[]): Fault[] {
  const named = entries
    .filter(({ verb, id }) => id !== "" && (verb === "update" || verb === "delete"))
    .map((entry) => ({ entry, reference: `${entry.type}/${entry.id}` }));
  return named
    .filter(({ reference }, at) => named.findIndex((one) => one.reference === reference) < at)
    .map(({ entry, reference }) =>
      fault("RESOURCE_REPEATED", { reference }, { expression: [`Bundle.entry[${entry.place}].request.url`] }),
    );
}

function noFullUrl(place: number): Fault {
  const element = `Bundle.entry[${place}].fullUrl`;
  return fault("PRIMITIVE_INVALID", { element, type: "uri" }, { expression: [element] });
}

function missingRequest(place: number): Fault {
  const element = `Bundle.entry[${place}].request`;
  return fault("ELEMENT_MISSING", { element }, { expression: [element] });
}

/** Changes by an id and by criteria: they may mean two resources, of which the wrong one would be changed. */
function namedTwice(entries: readonly Entry[]): Fault[] {
  return entries
    .filter(({ verb, id, criteria }) => verb !== "read" && id !== "" && criteria.length > 0)
    .map(({ place }) => fault("ENTRY_NAMED_TWICE", {}, { expression: [`Bundle.entry[${place}].request`] }));
}

function repeatedFullUrls(entries: readonly Entry[]): Fault[] {
  const named = entries.filter(({ fullUrl }) => fullUrl !== "");
  return named
    .filter(({ fullUrl }, at) => named.findIndex((one) => one.fullUrl === fullUrl) < at)
    .map(({ fullUrl, place }) =>
      fault("RESOURCE_REPEATED", { reference: fullUrl }, { expression: [`Bundle.entry[${place}].fullUrl`] }),
    );
}

function firstIdentifier({ verb, type, request }: Entry): string {
  if (verb !== "create" || type !== "Patient" || !("patient" in request)) return "";
  const { identifier = [] } = request.patient as Patient;
  const [first = ""] = identifier.map(({ system, value }) => `${value}|${system}`).sort();
  return first;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function rank({ verb, type }: Entry): number {
  return verbs.indexOf(verb) * types.length + types.indexOf(type);
}
