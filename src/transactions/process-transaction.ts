import type { Message } from "@bufbuild/protobuf";
import type { Identifier, Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import type {
  ProcessTransactionRequest,
  TransactionEntry,
} from "#proto/patientindex/v1/transaction_service_pb.ts";
import { parseDependentId } from "../dependents/index.ts";
import { type ErrorIssue, MpiError, refuseFor } from "../errors/index.ts";
import { roughBytes } from "../messages/index.ts";
import { referredTo } from "../references/index.ts";
import { patientNumber } from "../resources/index.ts";
import { addressOfPatient, faultsOfBases, noteAddress, nothingStored, type Stored } from "./addresses.ts";
import { aimedAt, type Decided, decideCondition, type Found, meantBy, type Perform } from "./conditions.ts";
import { type Entry, inOrder, readEntries, sameResourceTwice } from "./entries.ts";
import { Blocked, placedIssue, withoutBlocked } from "./entry-issues.ts";
import type { UnitOfWork } from "./ports.ts";
import { resolveReferences } from "./resolve-references.ts";
import { resourceIn, resourceTypes } from "./resource-types.ts";
import { asLeft, type Result } from "./results.ts";

/** What transactions are done with. */
export interface Transactions {
  readonly work: UnitOfWork;
  readonly perform: Perform;
  /** Does work on sound entries, after other services were asked for what it will need of them (addresses). */
  readonly askingAhead: <Result>(
    entries: readonly TransactionEntry[],
    work: () => Promise<Result>,
  ) => Promise<Result>;
  /** The patients who hold an identifier themselves. */
  readonly holders: (identifier: Identifier) => Promise<readonly bigint[]>;
  /** Does the work of so many entries when its turn has come. */
  readonly inTurn: <Result>(entries: number, work: () => Promise<Result>) => Promise<Result>;
}

/** What the entries of a transaction may read, about, together: all of it is one answer. */
const MOST_READ_BYTES = 8 * 1024 * 1024;

/** What has become of the entries so far. */
interface Progress {
  readonly results: Map<number, Result>;
  readonly issues: Map<number, readonly ErrorIssue[]>;
  readonly stored: Stored;
  /** Addresses of what entries have written, or are to write. */
  readonly written: Set<string>;
  readBytes: number;
}

/**
 * Does what all entries ask as one whole, or refuses it with everything that is wrong with any of them. The results
 * stand in the order of the entries. What the entries ask is done by the use cases that do it alone.
 */
export async function processTransaction(
  transactions: Transactions,
  { entries: given, bases }: Pick<ProcessTransactionRequest, "entries" | "bases">,
): Promise<Result[]> {
  const entries = readEntries(given);
  refuseFor([...faultsOfBases(bases), ...sameResourceTwice(entries)]);
  const { work, askingAhead, inTurn } = transactions;
  return await askingAhead(given, () =>
    inTurn(entries.length, () => work.run(() => doAll(transactions, entries, nothingStored(bases)))),
  );
}

async function doAll(
  transactions: Transactions,
  entries: readonly Entry[],
  stored: Stored,
): Promise<Result[]> {
  const { work, perform } = transactions;
  const progress: Progress = {
    results: new Map(),
    issues: new Map(),
    stored,
    written: new Set(),
    readBytes: 0,
  };
  const decided: Decided[] = [];
  for (const entry of entries) {
    const found = await attempt(entry, progress, () => decideCondition(perform, entry));
    if (found) decided.push(found);
  }
  refuseFor(sameResourceTwice(decided.map(({ entry }) => entry)));
  for (const one of decided) noteAddress(one, stored);
  for (const { entry } of decided) noteWritten(entry, entry.id, progress);
  const locked = await work.lockPatients(decided.flatMap(({ entry }) => patientsOf(entry, stored)));
  const primaryOf = new Map([...locked].map(([id, primary]) => [String(id), String(primary)]));
  const byEntry = new Map(decided.map((one) => [one.entry, one]));
  for (const entry of inOrder([...byEntry.keys()], new Set(primaryOf.values()))) {
    await doOne(transactions, byEntry.get(entry) ?? { entry }, progress);
  }
  refuseFor(entries.flatMap(({ place }) => progress.issues.get(place) ?? []));
  const results = await asLeft(perform, entries, progress.results, primaryOf);
  return entries.flatMap(({ place }) => results.get(place) ?? []);
}

async function doOne(transactions: Transactions, decided: Decided, progress: Progress): Promise<void> {
  const { entry, update } = decided;
  const result = await attempt(update ?? entry, progress, () => resultOf(transactions, decided, progress));
  if (!result) return;
  progress.results.set(entry.place, result);
  if (isRead(decided)) progress.readBytes += roughBytes(result.response);
  const id = resourceIn(entry.type, result.response)?.id;
  noteWritten(entry, id, progress);
  if (entry.fullUrl !== "" && id !== undefined) {
    progress.stored.addresses.set(entry.fullUrl, `${entry.type}/${id}`);
  }
}

/** A creation that finds its resource there already reads it, too. */
function isRead({ entry, settled }: Decided): boolean {
  return entry.verb === "read" || typeof settled === "object";
}

function noteWritten({ type, verb }: Entry, id: string | undefined, { written }: Progress): void {
  if (verb !== "read") written.add(`${type}/${id}`);
}

async function resultOf(
  transactions: Transactions,
  decided: Decided,
  progress: Progress,
): Promise<Result | undefined> {
  const { perform } = transactions;
  const { entry, settled } = decided;
  if (settled === "nothing") {
    return { method: entry.method, response: { etag: "" } as unknown as Message };
  }
  if (isRead(decided) && progress.readBytes > MOST_READ_BYTES) throw new MpiError("TOO_MANY_RESULTS");
  if (settled) return await existing(perform, entry, settled.existing);
  const { request, faults, blocked } = await resolveReferences(perform, entry, progress.stored);
  try {
    const winner = await quickerNeighbour(transactions, { ...entry, request }, progress);
    if (winner) return await besideWinner(transactions, decided, winner, progress);
    const response = await perform(entry.method, request);
    refuseFor(faults);
    return blocked.size > 0 ? undefined : { method: entry.method, response };
  } catch (error) {
    const winner = await quickerCreation(perform, entry, error);
    // What an entry of the same transaction writes is not replaced: which of them comes first would decide.
    if (winner && !(decided.update && progress.written.has(`${entry.type}/${winner.id}`))) {
      return await besideWinner(transactions, decided, winner, progress);
    }
    throw withoutBlocked(error, faults, blocked);
  }
}

/** A creation gives back what somebody else was quicker to store, an update replaces it. */
async function besideWinner(
  transactions: Transactions,
  { entry, update }: Decided,
  winner: Found,
  progress: Progress,
): Promise<Result | undefined> {
  if (!update) return await existing(transactions.perform, entry, winner.id);
  return await resultOf(transactions, { entry: aimedAt(update, winner) }, progress);
}

/**
 * The database refuses nobody who creates what lies with a patient, so the criteria are looked at again under the lock
 * of the patient. What this transaction has written itself does not count.
 */
async function quickerNeighbour(
  { work, perform, holders }: Transactions,
  entry: Entry,
  { stored, written }: Progress,
): Promise<Found | undefined> {
  if (entry.type === "Patient" || entry.verb !== "create" || entry.criteria.length === 0) return undefined;
  const { reference, identifier } = patientNamedBy(entry) ?? {};
  const isByIdentifier = reference === undefined && identifier !== undefined;
  await work.lockPatients(isByIdentifier ? await holders(identifier) : patientsOf(entry, stored));
  const { shown } = await meantBy(perform, entry.type, entry.criteria);
  const [winner, another] = shown.filter(({ id }) => !written.has(`${entry.type}/${id}`));
  if (another) throw new MpiError("CONDITION_NOT_SELECTIVE");
  return winner;
}

/**
 * Of two who create at once what fits criteria the database refuses one, for that alone: it finds what the other
 * stored.
 */
async function quickerCreation(perform: Perform, entry: Entry, error: unknown): Promise<Found | undefined> {
  const isTaken = error instanceof MpiError && error.issues.every(isTakenIdentifier);
  if (!isTaken || entry.verb !== "create" || entry.criteria.length === 0) return undefined;
  const { total, first } = await meantBy(perform, entry.type, entry.criteria);
  return total === 1 ? first : undefined;
}

function isTakenIdentifier(issue: ErrorIssue): boolean {
  return "meaning" in issue && issue.meaning === "PATIENT_ALREADY_EXISTS";
}

async function existing(perform: Perform, { type }: Entry, id: string): Promise<Result> {
  const method = resourceTypes[type].read;
  return { method, response: await perform(method, { id, elements: [] } as unknown as Message) };
}

/** The result of an attempt; what is wrong with the entry is noted, and the others are still looked at. */
async function attempt<Result>(
  entry: Entry,
  { issues, stored }: Progress,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MpiError || error instanceof Blocked)) throw error;
    stored.failed.add(entry.fullUrl);
    if (error instanceof MpiError) {
      issues.set(
        entry.place,
        error.issues.map((issue) => placedIssue(issue, entry)),
      );
    }
    return undefined;
  }
}

/** The patients whose rows a write needs, as far as they are known before it. */
function patientsOf(entry: Entry, stored: Stored): bigint[] {
  const { type, verb, id, request } = entry;
  if (verb === "read") return [];
  if (type === "Patient") return numbered(id);
  const own = parseDependentId(id);
  if (own) return [own.patientId];
  const resource = resourceIn(type, request);
  const target = resource && referredTo({ reference: addressOfPatient(entry, resource, stored) });
  return target?.type === "Patient" ? numbered(target.id) : [];
}

function patientNamedBy({ type, request }: Entry): Reference | undefined {
  const resource = resourceIn(type, request);
  return resource && resourceTypes[type].patientOf(resource);
}

function numbered(id: string): bigint[] {
  const number = patientNumber(id);
  return number === undefined ? [] : [number];
}
