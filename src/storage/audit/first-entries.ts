import type { Statement } from "../connection/named-statements.ts";
import { arrays, type Column, names, unnest } from "../connection/row-arrays.ts";
import type { SealedEntry } from "./sealed-entry.ts";

const ENTRY: readonly Column<SealedEntry>[] = [
  ["stream_id", "bigint", (entry) => entry.streamId],
  ["recorded_at", "timestamp", (entry) => entry.recordedAt],
  ["patient_id", "bigint", (entry) => entry.patientId],
  ["key_id", "text", (entry) => entry.keyId],
  ["content", "bytea", (entry) => entry.content],
  ["digest", "bytea", (entry) => entry.digest],
];

const TEXT = `WITH entry AS (SELECT *, sha256(digest) AS hash FROM ${unnest(ENTRY, 1)}),
    head AS (INSERT INTO audit_stream (stream_id, n, hash) SELECT stream_id, 1, hash FROM entry)
  INSERT INTO audit_event (n, hash, ${names(ENTRY)}) SELECT 1, hash, ${names(ENTRY)} FROM entry`;

/** Begins the chains of new patients, each with the entry of its creation. */
export function firstEntries(entries: readonly SealedEntry[]): Statement {
  return { name: "load_entries", text: TEXT, values: arrays(ENTRY, entries) };
}
