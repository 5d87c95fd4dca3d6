import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { IndexKeys } from "../../../identifier-index/index.ts";
import type { BlockChanges } from "../../../matching/index.ts";
import { areSameIdentifiers, showsTheSame } from "../../../patients/index.ts";
import type { LaterDeliveries } from "../../../patients/ports.ts";
import { noteWrite } from "../../audit/write-entries.ts";
import { changeBlockKeys, insertBlockKeys } from "../../blocking/block-keys.ts";
import { recordChange } from "../../changes/outbox.ts";
import type { Transaction } from "../../connection/database.ts";
import { type AuthorColumns, sealedAuthor } from "../../sealing/authors.ts";
import {
  changedIdentifiers,
  endSealedRows,
  firstFreeNumber,
  insertSealedRows,
} from "../../sealing/sealed-rows.ts";
import { laterThan } from "../../versions/timestamps.ts";
import { stamped } from "../../versions/versioned.ts";
import { noteContactData } from "../contact-data-queue.ts";
import { readablePatients } from "../reading/groups.ts";
import { selectPatient } from "../reading/read-patients.ts";
import { knownValuesOf, sealPatient, versionOf } from "../reading/stored-patient.ts";
import { endIdentifiers, identifierRows, insertIdentifiers } from "./identifier-rows.ts";
import { writeNextVersion } from "./next-versions.ts";
import { searchColumnNames, searchColumnSettings, searchColumnValues } from "./search-column-sql.ts";
import { searchColumnsOf } from "./search-columns.ts";

interface LockedPatient {
  readonly version: number;
  readonly updatedAt: Date;
  readonly lastEvent: number;
  readonly rootId: bigint | null;
  readonly document: Uint8Array;
}

/** One version as it is written: to the patient's row, to its history, to the outbox. */
interface VersionRow extends AuthorColumns {
  readonly id: bigint;
  readonly version: number;
  readonly updatedAt: Date;
  readonly event: number;
  readonly rootId: bigint | null;
  readonly document: Uint8Array<ArrayBuffer>;
}

/** A patient that is stored for the first time. */
export interface NewRecord {
  readonly id: bigint;
  readonly given: Patient;
  /** What it is found by in matching. */
  readonly blockKeys: readonly bigint[];
}

/** A version of a patient, and what takes its place. */
export interface ChangedRecord {
  readonly current: Patient;
  readonly next: Patient;
  readonly blocks: BlockChanges;
  readonly deliveries: LaterDeliveries | undefined;
}

/** Writes version 1 of a patient. Identifiers go first: who loses the race for one has written nothing else. */
export async function insertPatient(
  transaction: Transaction,
  keys: IndexKeys,
  { id, given, blockKeys }: NewRecord,
  now: Date,
): Promise<Patient> {
  await insertIdentifiers(transaction, id, identifierRows(keys, given.identifier));
  const { document, added } = sealPatient(keys, id, given, new Map(), 1);
  const row: VersionRow = {
    id,
    version: 1,
    updatedAt: now,
    event: 1,
    rootId: null,
    document,
    ...sealedAuthor(keys, id),
  };
  await transaction.$executeRaw`
    INSERT INTO patient (id, version, updated_at, ${searchColumnNames}, last_event, document)
    VALUES (${id}, 1, ${now}, ${searchColumnValues(searchColumnsOf(given))}, 1, ${document})`;
  await insertSealedRows(transaction, added);
  await insertBlockKeys(
    transaction,
    blockKeys.map((key) => ({ key, patientId: id })),
  );
  await recordVersion(transaction, row);
  return stamped(given, row);
}

/**
 * Writes the next version of a patient under the lock of its row, unless `current` is not the last one. When its
 * identifiers change the primary that it is linked to is locked before, and gets a new version too if it shows that.
 */
export async function replacePatient(
  transaction: Transaction,
  keys: IndexKeys,
  { current, next, blocks, deliveries }: ChangedRecord,
  now: Date,
): Promise<Patient | "stale"> {
  const id = BigInt(current.id ?? "");
  const isKept = areSameIdentifiers(current.identifier, next.identifier);
  const primary = isKept ? undefined : await lockPrimary(transaction, id);
  if (primary === "stale") return "stale";
  const locked = await lockPatient(transaction, id);
  if (!locked || locked.version !== versionOf(current)) return "stale";
  const known = knownValuesOf(locked.document, current);
  const isShown = primary && (await showsChange(transaction, keys, primary.id, id, next.identifier));
  const shownAt = isShown ? primary : undefined;
  const { taken, ended } = changedIdentifiers(current.identifier, next.identifier);
  await insertIdentifiers(transaction, id, identifierRows(keys, taken));
  const { document, added } = sealPatient(keys, id, next, known, await firstFreeNumber(transaction, id));
  const row: VersionRow = {
    id,
    version: locked.version + 1,
    updatedAt: laterThan([locked, ...(shownAt ? [shownAt] : [])], now),
    event: locked.lastEvent + 1,
    rootId: locked.rootId,
    document,
    ...sealedAuthor(keys, id),
  };
  await insertSealedRows(transaction, added);
  await endIdentifiers(transaction, identifierRows(keys, ended));
  await endSealedRows(transaction, id, ended, known);
  await changeBlockKeys(transaction, id, blocks);
  await updateRow(transaction, row, next);
  await recordVersion(transaction, row);
  if (deliveries?.contactData) await noteContactData(transaction, row);
  if (shownAt) await writeNextVersion(transaction, keys, shownAt.id, row.updatedAt);
  return stamped(next, row);
}

/**
 * Locks the primary of a secondary, before the secondary itself as everybody does (linkage/locks.ts); "stale" when it
 * is its primary no more. When a patient who was alone is linked between look and lock, its version tells.
 */
async function lockPrimary(
  transaction: Transaction,
  id: bigint,
): Promise<{ id: bigint; updatedAt: Date } | "stale" | undefined> {
  const rootId = await selectRoot(transaction, id);
  if (rootId === null || rootId === id) return undefined;
  const locked = await lockPatient(transaction, rootId);
  const isStillPrimary = locked?.rootId === rootId && (await selectRoot(transaction, id)) === rootId;
  return isStillPrimary ? { id: rootId, updatedAt: locked.updatedAt } : "stale";
}

/** Whether a locked primary, or one that does not open, shows something new when a member of its group holds these. */
async function showsChange(
  transaction: Transaction,
  keys: IndexKeys,
  primaryId: bigint,
  memberId: bigint,
  identifiers: readonly Identifier[],
): Promise<boolean> {
  const row = await selectPatient(transaction, primaryId);
  const [primary] = (await readablePatients(transaction, keys, row ? [row] : [])).patients;
  return !primary || !showsTheSame(primary, memberId, identifiers);
}

async function selectRoot(transaction: Transaction, id: bigint): Promise<bigint | null> {
  const [row] = await transaction.$queryRaw<{ rootId: bigint | null }[]>`
    SELECT root_id AS "rootId" FROM patient WHERE id = ${id}`;
  return row?.rootId ?? null;
}

async function lockPatient(transaction: Transaction, id: bigint): Promise<LockedPatient | undefined> {
  const [row] = await transaction.$queryRaw<LockedPatient[]>`
    SELECT version, updated_at AS "updatedAt", last_event AS "lastEvent", root_id AS "rootId", document
    FROM patient WHERE id = ${id} FOR UPDATE`;
  return row;
}

async function updateRow(transaction: Transaction, row: VersionRow, next: Patient): Promise<void> {
  await transaction.$executeRaw`
    UPDATE patient SET version = ${row.version}, updated_at = ${row.updatedAt},
      ${searchColumnSettings(searchColumnsOf(next))}, last_event = ${row.event}, document = ${row.document}
    WHERE id = ${row.id}`;
}

async function recordVersion(transaction: Transaction, row: VersionRow): Promise<void> {
  noteWrite(transaction, { patientId: row.id, action: row.version === 1 ? "C" : "U", at: row.updatedAt });
  await transaction.$executeRaw`
    INSERT INTO patient_history (id, version, updated_at, root_id, document, author_key_id, author)
    VALUES (${row.id}, ${row.version}, ${row.updatedAt}, ${row.rootId}, ${row.document}, ${row.authorKeyId},
      ${row.author})`;
  await recordChange(transaction, {
    resourceType: "Patient",
    patientId: row.id,
    dependent: 0,
    event: row.event,
    version: row.version,
    at: row.updatedAt,
  });
}
