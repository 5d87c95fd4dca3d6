import type { AuditEntry } from "./entry.ts";

/** Where entries of reads, searches and refusals go. */
export interface AuditTrail {
  /** Resolves when the entries are durable; until then no answer leaves. */
  record(entries: readonly AuditEntry[]): Promise<void>;
}

/** A place in the trail of patients, newest first. */
export interface TrailPlace {
  readonly recordedAt: Date;
  readonly streamId: bigint;
  readonly n: bigint;
}

/** An entry with its place. */
export interface RecordedEntry extends AuditEntry {
  readonly streamId: bigint;
  readonly n: bigint;
}

export interface TrailQuery {
  /** Whose entries; those of all of them, in one order. */
  readonly patients: readonly bigint[];
  /** Spans of instants in each of which an entry must lie; both ends belong to them, undefined is open. */
  readonly spans: readonly RecordedSpan[];
  /** At most so many. */
  readonly size: number;
  /** The place after which the page begins. */
  readonly after?: TrailPlace | undefined;
}

export interface RecordedSpan {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Whether an entry must lie outside instead. */
  readonly outside?: boolean;
}

export interface TrailPage {
  readonly entries: readonly RecordedEntry[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** The trail, as it is read. */
export interface AuditReader {
  /** Entries of patients, newest first. */
  find(query: TrailQuery): Promise<TrailPage>;
}
