import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { IndexKeys } from "../../identifier-index/index.ts";
import { recordChange } from "../changes/outbox.ts";
import type { Transaction } from "../database.ts";
import { changedIdentifiers, endSealedRows, firstFreeNumber, insertSealedRows } from "../sealed-rows.ts";
import { nextInstant, stamped } from "../versioned.ts";
import { endIdentifiers, identifierRows, insertIdentifiers } from "./identifier-rows.ts";
import { searchColumnsOf } from "./search-columns.ts";
import { knownValuesOf, sealPatient, versionOf } from "./stored-patient.ts";

interface LockedPatient {
  readonly version: number;
  readonly updatedAt: Date;
  readonly lastEvent: number;
  readonly document: Uint8Array;
}

/** One version as it is written: to the patient's row, to its history, to the outbox. */
interface VersionRow {
  readonly id: bigint;
  readonly version: number;
  readonly updatedAt: Date;
  readonly event: number;
  readonly document: Uint8Array<ArrayBuffer>;
}

/** Writes version 1 of a patient. Identifiers go first: who loses the race for one has written nothing else. */
export async function insertPatient(
  transaction: Transaction,
  keys: IndexKeys,
  id: bigint,
  given: Patient,
  now: Date,
): Promise<Patient> {
  await insertIdentifiers(transaction, id, identifierRows(keys, given.identifier));
  const { document, added } = sealPatient(keys, id, given, new Map(), 1);
  const row: VersionRow = { id, version: 1, updatedAt: now, event: 1, document };
  const columns = searchColumnsOf(given);
  await transaction.$executeRaw`
    INSERT INTO patient (id, version, updated_at, active, birth_from, birth_to, deceased, deceased_at,
      last_event, document)
    VALUES (${id}, 1, ${now}, ${columns.active}, ${columns.birthFrom}::date, ${columns.birthTo}::date,
      ${columns.deceased}, ${columns.deceasedAt}, 1, ${document})`;
  await insertSealedRows(transaction, added);
  await recordVersion(transaction, row);
  return stamped(given, row);
}

/** Writes the next version of a patient under the lock of its row, unless `current` is not the last one. */
export async function replacePatient(
  transaction: Transaction,
  keys: IndexKeys,
  current: Patient,
  next: Patient,
  now: Date,
): Promise<Patient | "stale"> {
  const id = BigInt(current.id ?? "");
  const locked = await lockPatient(transaction, id);
  if (!locked || locked.version !== versionOf(current)) return "stale";
  const known = knownValuesOf(locked.document, current);
  const { taken, ended } = changedIdentifiers(current.identifier, next.identifier);
  await insertIdentifiers(transaction, id, identifierRows(keys, taken));
  const { document, added } = sealPatient(keys, id, next, known, await firstFreeNumber(transaction, id));
  const row: VersionRow = {
    id,
    version: locked.version + 1,
    updatedAt: nextInstant(now, locked.updatedAt),
    event: locked.lastEvent + 1,
    document,
  };
  await insertSealedRows(transaction, added);
  await endIdentifiers(transaction, identifierRows(keys, ended));
  await endSealedRows(transaction, id, ended, known);
  await updateRow(transaction, row, next);
  await recordVersion(transaction, row);
  return stamped(next, row);
}

async function lockPatient(transaction: Transaction, id: bigint): Promise<LockedPatient | undefined> {
  const [row] = await transaction.$queryRaw<LockedPatient[]>`
    SELECT version, updated_at AS "updatedAt", last_event AS "lastEvent", document
    FROM patient WHERE id = ${id} FOR UPDATE`;
  return row;
}

async function updateRow(transaction: Transaction, row: VersionRow, next: Patient): Promise<void> {
  const columns = searchColumnsOf(next);
  await transaction.$executeRaw`
    UPDATE patient SET version = ${row.version}, updated_at = ${row.updatedAt}, active = ${columns.active},
      birth_from = ${columns.birthFrom}::date, birth_to = ${columns.birthTo}::date,
      deceased = ${columns.deceased}, deceased_at = ${columns.deceasedAt},
      last_event = ${row.event}, document = ${row.document}
    WHERE id = ${row.id}`;
}

async function recordVersion(transaction: Transaction, row: VersionRow): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO patient_history (id, version, updated_at, document)
    VALUES (${row.id}, ${row.version}, ${row.updatedAt}, ${row.document})`;
  await recordChange(transaction, {
    resourceType: "Patient",
    patientId: row.id,
    dependent: 0,
    event: row.event,
    version: row.version,
    at: row.updatedAt,
  });
}
