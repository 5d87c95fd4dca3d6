import type { Message } from "@bufbuild/protobuf";
import type { ProcessTransactionRequest } from "#proto/patientindex/v1/transaction_service_pb.ts";
import { MpiError, refuseFor } from "../errors/index.ts";
import { roughBytes } from "../messages/index.ts";
import { faultsOfBases, noteAddress } from "./addresses.ts";
import { aimedAt, type Decided, decideCondition, type Found, type Perform } from "./conditions.ts";
import { type Entry, inOrder, readEntries, sameResourceTwice } from "./entries.ts";
import { withoutBlocked } from "./entry-issues.ts";
import { patientsOf } from "./patients-of-entry.ts";
import { attempt, isWritten, noteResult, noteWritten, nothingDone, type Progress } from "./progress.ts";
import { quickerCreation, quickerNeighbour } from "./quicker-writers.ts";
import { resolveReferences } from "./resolve-references.ts";
import { resourceTypes } from "./resource-types.ts";
import { asLeft, type Result } from "./results.ts";
import type { Transactions } from "./transactions.ts";

/** What the entries of a transaction may read, about, together: all of it is one answer. */
const MOST_READ_BYTES = 8 * 1024 * 1024;

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
    inTurn(entries.length, () => work.run(() => doAll(transactions, entries, nothingDone(bases)))),
  );
}

async function doAll(
  transactions: Transactions,
  entries: readonly Entry[],
  progress: Progress,
): Promise<Result[]> {
  const { perform } = transactions;
  const decided = await decideAll(perform, entries, progress);
  const primaryOf = await lockPatientsOf(transactions, decided, progress);
  for (const one of inOrder(decided, new Set(primaryOf.values()))) {
    await doOne(transactions, one, progress);
  }
  refuseFor(entries.flatMap(({ place }) => progress.issues.get(place) ?? []));
  const results = await asLeft(perform, entries, progress.results, primaryOf);
  return entries.flatMap(({ place }) => results.get(place) ?? []);
}

/** The entries whose conditions can be decided, with what they are to write noted. */
async function decideAll(
  perform: Perform,
  entries: readonly Entry[],
  progress: Progress,
): Promise<Decided[]> {
  const decided: Decided[] = [];
  for (const entry of entries) {
    const one = await attempt(entry, progress, () => decideCondition(perform, entry));
    if (one) decided.push(one);
  }
  refuseFor(sameResourceTwice(decided.map(({ entry }) => entry)));
  for (const one of decided) noteAddress(one, progress.stored);
  for (const { entry } of decided) noteWritten(entry, entry.id, progress);
  return decided;
}

/** Locks the patients that are known before anything is written; tells the primary of each who is in a group. */
async function lockPatientsOf(
  { work }: Transactions,
  decided: readonly Decided[],
  { stored }: Progress,
): Promise<ReadonlyMap<string, string>> {
  const locked = await work.lockPatients(decided.flatMap(({ entry }) => patientsOf(entry, stored)));
  return new Map([...locked].map(([id, primary]) => [String(id), String(primary)]));
}

async function doOne(transactions: Transactions, decided: Decided, progress: Progress): Promise<void> {
  const { entry, update } = decided;
  const result = await attempt(update ?? entry, progress, () => resultOf(transactions, decided, progress));
  if (!result) return;
  noteResult(entry, result, progress);
  if (isRead(decided)) progress.readBytes += roughBytes(result.response);
}

/** A creation that finds its resource there already reads it, too. */
function isRead({ entry, existingId }: Decided): boolean {
  return entry.verb === "read" || existingId !== undefined;
}

async function resultOf(
  transactions: Transactions,
  decided: Decided,
  progress: Progress,
): Promise<Result | undefined> {
  const { perform } = transactions;
  const { entry, existingId, hasNothingToDelete } = decided;
  if (hasNothingToDelete) {
    return { method: entry.method, response: { etag: "" } as unknown as Message };
  }
  if (isRead(decided) && progress.readBytes > MOST_READ_BYTES) throw new MpiError("TOO_MANY_RESULTS");
  if (existingId !== undefined) return await readOne(perform, entry, existingId);
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
    if (winner && !(decided.update && isWritten(entry, winner.id, progress))) {
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
  if (!update) return await readOne(transactions.perform, entry, winner.id);
  return await resultOf(transactions, { entry: aimedAt(update, winner) }, progress);
}

async function readOne(perform: Perform, { type }: Entry, id: string): Promise<Result> {
  const method = resourceTypes[type].read;
  return { method, response: await perform(method, { id, elements: [] } as unknown as Message) };
}
