import type { Message } from "@bufbuild/protobuf";
import type { ProcessTransactionRequest } from "#proto/patientindex/v1/transaction_service_pb.ts";
import { type ErrorIssue, type Fault, fault, GrpcStatus, MpiError, traitsOf } from "../errors/index.ts";
import {
  addressOf,
  isOfEntry,
  isOfFailed,
  noteAddress,
  nothingStored,
  outsideReference,
  type Stored,
} from "./addresses.ts";
import { conditionalTarget, isConditional, type Perform } from "./conditions.ts";
import { type Entry, readEntry } from "./entries.ts";
import { withMappedUris } from "./references.ts";
import { resourceIn, resourceTypes, withResource } from "./resource-types.ts";

export interface Resolved {
  /** The request of the entry with its references resolved. */
  readonly request: Message;
  /** References that lead nowhere. */
  readonly faults: readonly Fault[];
  /** Paths of references to entries that failed themselves. */
  readonly blocked: ReadonlySet<string>;
}

/** In place of a reference to an entry without an address: its own text may be the address of somebody else. */
const NOWHERE = "urn:none";

/** Nothing is taken over from there, so it may refer to what is stored later. */
const PASSED_OVER = /^Patient\.link\b/;

/** Puts the addresses of stored resources in place of the references to entries, and of conditional references. */
export async function resolveReferences(perform: Perform, entry: Entry, stored: Stored): Promise<Resolved> {
  const { type, request } = entry;
  const resource = resourceIn(type, request);
  if (!resource || entry.verb === "read" || entry.literalReferences) {
    return { request, faults: [], blocked: new Set() };
  }
  const { schema } = resourceTypes[type];
  const targets = await conditionalTargets(perform, entry, resource, stored);
  const faults: Fault[] = [];
  const blocked = new Set<string>();
  const resolved = withMappedUris(schema, resource, type, (uri, path, isReference) => {
    const address = addressOf(uri, entry, stored) ?? targets.found.get(uri);
    if (address !== undefined || PASSED_OVER.test(path)) return address ?? uri;
    const isAwaited = isOfEntry(uri, entry, stored);
    if (isOfFailed(uri, entry, stored)) blocked.add(path);
    else if (isReference) faults.push(...faultsOf(uri, path, isAwaited, targets));
    return isReference ? withoutAddress(uri, entry, isAwaited, stored) : uri;
  });
  return { request: withResource(type, request, resolved), faults, blocked };
}

/**
 * The requests of entries, by place, with the addresses of those entries that are known before anything is done: of
 * those that name an id.
 */
export function resolvedBeforehand({
  entries: given,
  bases,
}: Pick<ProcessTransactionRequest, "entries" | "bases">): (place: number) => Message | undefined {
  const entries = given.map(readEntry);
  const stored = nothingStored(bases);
  for (const entry of entries) if (entry) noteAddress({ entry }, stored);
  return (place) => {
    const entry = entries[place];
    return entry && resolvedSoFar(entry, stored);
  };
}

function resolvedSoFar(entry: Entry, stored: Stored): Message {
  const { type, request } = entry;
  const resource = resourceIn(type, request);
  // References of a patient name nobody whose data the request asks for.
  if (!resource || type === "Patient" || entry.literalReferences) return request;
  const resolved = withMappedUris(resourceTypes[type].schema, resource, type, (uri, _path, isReference) => {
    const address = addressOf(uri, entry, stored);
    if (address !== undefined || !isReference) return address ?? uri;
    return withoutAddress(uri, entry, isOfEntry(uri, entry, stored), stored);
  });
  return withResource(type, request, resolved);
}

/** A reference in whose place there is no address of an entry. */
function withoutAddress(reference: string, entry: Entry, isAwaited: boolean, stored: Stored): string {
  return isAwaited ? NOWHERE : outsideReference(reference, entry, stored);
}

/** What is wrong with a reference that has no address. */
function faultsOf(reference: string, path: string, isAwaited: boolean, { refused }: Targets): Fault[] {
  const ofSearch = refused.get(reference);
  if (ofSearch) return ofSearch.map((one) => ({ ...one, expression: [path] }));
  const leadsNowhere = isAwaited || isConditional(reference) || reference.startsWith("urn:");
  return leadsNowhere ? [unresolved(path)] : [];
}

/** What conditional references lead to, by their own text. */
interface Targets {
  /** Addresses of those that find exactly one. */
  readonly found: ReadonlyMap<string, string>;
  /** What is wrong with those whose search is none. */
  readonly refused: ReadonlyMap<string, readonly Fault[]>;
}

async function conditionalTargets(
  perform: Perform,
  { type }: Entry,
  resource: Message,
  stored: Stored,
): Promise<Targets> {
  const wanted = new Map<string, string>();
  withMappedUris(resourceTypes[type].schema, resource, type, (uri, path, isReference) => {
    if (isReference && isConditional(uri) && !wanted.has(uri)) wanted.set(uri, path);
    return uri;
  });
  refuseTooMany(wanted, stored);
  const found = new Map<string, string>();
  const refused = new Map<string, readonly Fault[]>();
  for (const [reference, path] of wanted) {
    try {
      const target = await conditionalTarget(perform, reference, stored);
      if (target !== undefined) found.set(reference, target);
    } catch (error) {
      if (!isOfParameters(error)) throw placedAt(path, error);
      refused.set(reference, error.issues);
    }
  }
  return { found, refused };
}

/** A search that is refused for what it asks is one more fault of the resource; one that fails, or may not be asked, ends the entry. */
function isOfParameters(error: unknown): error is MpiError & { readonly issues: readonly Fault[] } {
  return error instanceof MpiError && error.issues.every(isOfParameter);
}

function isOfParameter(issue: ErrorIssue): boolean {
  if (!("meaning" in issue) || traitsOf(issue.meaning).status !== GrpcStatus.INVALID_ARGUMENT) return false;
  return issue.expression?.every((one) => one.startsWith("http.")) === true;
}

/** Each is a question to the database, asked while patients are locked. */
const MOST_SEARCHES = 1000;

/** Refuses an entry with references by a search where that makes more of them than a transaction may have. */
function refuseTooMany(wanted: ReadonlyMap<string, string>, stored: Stored): void {
  const [excess] = [...wanted.values()].slice(Math.max(0, MOST_SEARCHES - stored.searched));
  stored.searched += wanted.size;
  if (excess === undefined) return;
  const parameters = { element: `${excess} (Type?…)`, max: String(MOST_SEARCHES) };
  throw new MpiError("ELEMENT_REPEATED_TOO_OFTEN", parameters, { expression: [excess] });
}

/** What is wrong with the search of a reference is wrong with the reference. */
function placedAt(path: string, error: unknown): unknown {
  if (!(error instanceof MpiError)) return error;
  const [first, ...others] = error.issues.map((issue) =>
    "meaning" in issue ? { ...issue, expression: [path] } : issue,
  );
  return first ? MpiError.of([first, ...others], { cause: error }) : error;
}

function unresolved(path: string): Fault {
  return fault("REFERENCE_UNRESOLVED", { element: path }, { expression: [path] });
}
