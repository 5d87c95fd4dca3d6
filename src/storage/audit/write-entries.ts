import { Prisma } from "../../../prisma/gen/client.ts";
import {
  type AuditAction,
  type AuditContent,
  type AuditEntry,
  contentBytes,
  contentOfCall,
} from "../../audit/index.ts";
import { currentAuthor } from "../../call/author.ts";
import { currentCall } from "../../call/current-call.ts";
import type { Database, Transaction } from "../connection/database.ts";
import type { AuditKeys } from "./audit-keys.ts";
import { type EntryOfAll, type SealedEntry, sealEntry } from "./sealed-entry.ts";

/** A write of the data of a patient. */
export interface NotedWrite {
  readonly patientId: bigint;
  readonly action: AuditAction;
  readonly at: Date;
  /** What of the patient's was written, such as `RelatedPerson/70001`; the patient unless given. */
  readonly resource?: string;
}

type WriteEntry = AuditEntry & { readonly patientId: bigint };

const keysOfDatabases = new WeakMap<Database, AuditKeys>();
const notedEntries = new WeakMap<Transaction, WriteEntry[]>();

/**
 * From now on every transaction of the database (transactions/transaction.ts) writes the entries of its writes. It is the
 * database's business and not that of each store, so that none can be made which forgets it.
 */
export function auditWrites(database: Database, keys: AuditKeys): void {
  keysOfDatabases.set(database, keys);
}

/** The keys of the trail of a database; undefined where there is none. */
export function auditKeysOf(database: Database): AuditKeys | undefined {
  return keysOfDatabases.get(database);
}

/** Notes a write of the call at hand; its entry goes to the patient's stream at the end of the transaction. */
export function noteWrite(transaction: Transaction, write: NotedWrite): void {
  const entries = notedEntries.get(transaction);
  if (entries) entries.push(entryOf(write));
  else notedEntries.set(transaction, [entryOf(write)]);
}

/** Does a part of the work of a transaction; when it fails the writes that it noted are forgotten. */
export async function forgettingWrites<T>(transaction: Transaction, part: () => Promise<T>): Promise<T> {
  const before = notedEntries.get(transaction)?.length ?? 0;
  try {
    return await part();
  } catch (cause) {
    notedEntries.get(transaction)?.splice(before);
    throw cause;
  }
}

/** Writes the entries of what was noted; to be called under the locks of the patients, before the commit. */
export async function writeEntries(database: Database, transaction: Transaction): Promise<void> {
  const keys = keysOfDatabases.get(database);
  const entries = notedEntries.get(transaction);
  if (!keys || !entries) return;
  const key = keys.current(new Date());
  for (const entry of entries) await append(transaction, sealEntry(key, entry.patientId, entry));
}

/**
 * For a write that is one statement and a transaction by itself: what that has to do too, as common table expressions
 * behind one named `written` with the id of the patient, if it was written. Nothing where there is no trail.
 */
export function entryOfStatement(database: Database, write: NotedWrite): Prisma.Sql {
  const keys = keysOfDatabases.get(database);
  if (!keys) return Prisma.empty;
  const entry = sealEntry(keys.current(new Date()), write.patientId, entryOf(write));
  const { recordedAt, keyId, content, digest } = entry;
  return Prisma.sql`,
    head AS (
      INSERT INTO audit_stream AS stream (stream_id, n, hash) SELECT id, 1, sha256(${digest}::bytea) FROM written
      ON CONFLICT (stream_id) DO UPDATE SET n = stream.n + 1, hash = sha256(stream.hash || ${digest}::bytea)
      RETURNING stream_id, n, hash),
    entry AS (
      INSERT INTO audit_event (stream_id, n, recorded_at, patient_id, key_id, content, digest, hash)
      SELECT stream_id, n, ${recordedAt}, stream_id, ${keyId}, ${content}, ${digest}::bytea, hash FROM head)`;
}

/** What the entries of writes say that are one transaction by themselves, to be sealed; undefined where there is no trail. */
export function entryOfAll(database: Database, action: AuditAction): EntryOfAll | undefined {
  const keys = keysOfDatabases.get(database);
  if (!keys) return undefined;
  // A copy, in memory of its own: it may go to another thread, and what else is in the pool of Buffers is not to go with it.
  const content = new Uint8Array(contentBytes(contentOfWrite(action)));
  return { key: keys.current(new Date()), content };
}

/** Tells the call that such a statement has written. */
export function confirmStatement(database: Database, patientId: bigint): void {
  if (keysOfDatabases.has(database)) currentCall()?.accesses.noteRecorded(patientId);
}

/** Tells the call that its writes are committed, each with its entry. */
export function confirmEntries(database: Database, transaction: Transaction): void {
  if (!keysOfDatabases.has(database)) return;
  const accesses = currentCall()?.accesses;
  for (const { patientId } of notedEntries.get(transaction) ?? []) accesses?.noteRecorded(patientId);
}

function entryOf({ patientId, action, at, resource }: NotedWrite): WriteEntry {
  return {
    ...contentOfWrite(action),
    recordedAt: at,
    patientId,
    ...(resource !== undefined && { resources: [resource] }),
  };
}

function contentOfWrite(action: AuditAction): AuditContent {
  const call = currentCall();
  return {
    ...(call ? contentOfCall(call, action) : { action }),
    register: currentAuthor()?.register || undefined,
  };
}

/** The patient's row is locked, so nobody else goes on with this chain. */
async function append(transaction: Transaction, entry: SealedEntry): Promise<void> {
  const { streamId, recordedAt, keyId, content, digest } = entry;
  await transaction.$executeRaw`
    WITH head AS (
      INSERT INTO audit_stream AS stream (stream_id, n, hash) VALUES (${streamId}, 1, sha256(${digest}::bytea))
      ON CONFLICT (stream_id) DO UPDATE SET n = stream.n + 1, hash = sha256(stream.hash || ${digest}::bytea)
      RETURNING n, hash)
    INSERT INTO audit_event (stream_id, n, recorded_at, patient_id, key_id, content, digest, hash)
    SELECT ${streamId}, head.n, ${recordedAt}, ${streamId}, ${keyId}, ${content}, ${digest}::bytea, head.hash FROM head`;
}
