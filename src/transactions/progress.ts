import { type ErrorIssue, MpiError } from "../errors/index.ts";
import { nothingStored, type Stored } from "./addresses.ts";
import type { Entry } from "./entries.ts";
import { Blocked, placedIssue } from "./entry-issues.ts";
import { resourceIn } from "./resource-types.ts";
import type { Result } from "./results.ts";

/** What has become of the entries so far. */
export interface Progress {
  readonly results: Map<number, Result>;
  readonly issues: Map<number, readonly ErrorIssue[]>;
  readonly stored: Stored;
  /** Addresses of what entries have written, or are to write. */
  readonly written: Set<string>;
  readBytes: number;
}

export function nothingDone(bases: readonly string[]): Progress {
  return {
    results: new Map(),
    issues: new Map(),
    stored: nothingStored(bases),
    written: new Set(),
    readBytes: 0,
  };
}

/** The result of an attempt; what is wrong with the entry is noted, and the others are still looked at. */
export async function attempt<Result>(
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

export function noteResult(entry: Entry, result: Result, progress: Progress): void {
  progress.results.set(entry.place, result);
  const id = resourceIn(entry.type, result.response)?.id;
  noteWritten(entry, id, progress);
  if (entry.fullUrl !== "" && id !== undefined) {
    progress.stored.addresses.set(entry.fullUrl, `${entry.type}/${id}`);
  }
}

export function noteWritten({ type, verb }: Entry, id: string | undefined, { written }: Progress): void {
  if (verb !== "read") written.add(`${type}/${id}`);
}

/** Whether an entry of the transaction itself writes what was found. */
export function isWritten({ type }: Entry, id: string, { written }: Progress): boolean {
  return written.has(`${type}/${id}`);
}
