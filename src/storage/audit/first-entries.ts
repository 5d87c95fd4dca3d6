import type pg from "pg";
import { arrays, bytes, type Column, instant, names, unnest } from "../row-arrays.ts";
import type { SealedEntry } from "./sealed-entry.ts";

const ENTRY: readonly Column<SealedEntry>[] = [
  ["stream_id", "bigint", (entry) => entry.streamId],
  ["recorded_at", "timestamp", (entry) => instant(entry.recordedAt)],
  ["patient_id", "bigint", (entry) => entry.patientId],
  ["key_id", "text", (entry) => entry.keyId],
  ["content", "bytea", (entry) => bytes(entry.content)],
  ["digest", "bytea", (entry) => bytes(entry.digest)],
];

/** Begins the chains of new patients, each with the entry of its creation. */
export async function insertFirstEntries(
  client: pg.ClientBase,
  entries: readonly SealedEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await client.query(
    `WITH entry AS (SELECT *, sha256(digest) AS hash FROM ${unnest(ENTRY, 1)}),
       head AS (INSERT INTO audit_stream (stream_id, n, hash) SELECT stream_id, 1, hash FROM entry)
     INSERT INTO audit_event (n, hash, ${names(ENTRY)}) SELECT 1, hash, ${names(ENTRY)} FROM entry`,
    arrays(ENTRY, entries),
  );
}
