import { type DependentId, publicNumber } from "../../dependents/dependent-id.ts";
import type { Decide, Dependent, StoredVersion, Surroundings } from "../../dependents/ports.ts";
import type { IndexKeys } from "../../identifier-index/index.ts";
import { noteWrite } from "../audit/write-entries.ts";
import { recordChange } from "../changes/outbox.ts";
import type { Transaction } from "../connection/database.ts";
import { sealedAuthor } from "../sealing/authors.ts";
import { knownValues, sealDocument } from "../sealing/sealed-document.ts";
import {
  changedIdentifiers,
  endSealedRows,
  firstFreeNumber,
  insertSealedRows,
} from "../sealing/sealed-rows.ts";
import { laterThan } from "../versions/timestamps.ts";
import { stamped, unstamped } from "../versions/versioned.ts";
import type { DependentTable } from "./dependent-table.ts";
import { type LockedPatient, lockPatient, nextDependent, surroundingsOf } from "./locked-patient.ts";
import { selectDependent } from "./read-dependents.ts";
import { type DependentRow, holderOf, unopenedOf, versionOf } from "./stored-dependent.ts";

/** What one write works in: a transaction, for one type. */
interface Write<Resource> {
  readonly transaction: Transaction;
  readonly keys: IndexKeys;
  readonly table: DependentTable<Resource>;
  readonly now: Date;
}

/** A version as it is written: to the table of current versions, to the history, to the outbox. */
interface VersionRow extends DependentId {
  readonly version: number;
  readonly updatedAt: Date;
  readonly document: Uint8Array<ArrayBuffer> | null;
}

/** What is there already: the current version, as row and as resource. */
interface Current<Resource> {
  readonly row: DependentRow;
  readonly stored: StoredVersion<Resource>;
}

/** Writes version 1 of a dependent under the lock of its patient; undefined when there is no such patient. */
export async function insertDependent<Resource extends Dependent>(
  write: Write<Resource>,
  patientId: bigint,
  decide: (around: Surroundings) => Resource,
): Promise<Resource | undefined> {
  const { transaction, keys, table, now } = write;
  const locked = await lockPatient(transaction, patientId);
  if (!locked) return undefined;
  const given = decide(await surroundingsOf(transaction, keys, locked));
  const id = nextDependent(locked);
  const content = unstamped(given);
  const document = await sealContent(write, id, content, undefined);
  const row: VersionRow = { ...id, version: 1, updatedAt: now, document };
  await transaction.$executeRaw`
    INSERT INTO ${table.current} (patient_id, n, version, updated_at, document)
    VALUES (${row.patientId}, ${row.n}, ${row.version}, ${row.updatedAt}, ${row.document})`;
  await recordVersion(write, { ...locked, lastDependent: id.n }, row);
  return stamped(content, { ...row, id: publicNumber(id) });
}

/** Writes what is decided on the current version of a dependent, under the lock of its patient. */
export async function changeDependent<Resource extends Dependent>(
  write: Write<Resource>,
  id: DependentId,
  decide: Decide<Resource>,
): Promise<StoredVersion<Resource> | undefined> {
  const { transaction, keys, table } = write;
  const locked = await lockPatient(transaction, id.patientId);
  const row = locked && (await selectDependent(transaction, table, id));
  if (!row) return undefined;
  const stored = versionOf(keys, table, row);
  const next = await decide(stored, () => surroundingsOf(transaction, keys, locked));
  const content = unstamped(next);
  const document = await sealContent(write, row, content, { row, stored });
  const version = await writeNext(write, locked, row, document);
  return { resource: stamped(content, { ...version, id: publicNumber(row) }), deleted: false };
}

/** Deletes the current version of a dependent under the lock of its patient; it is not opened. */
export async function deleteDependent<Resource extends Dependent>(
  write: Write<Resource>,
  id: DependentId,
  refuse: (current: Resource) => void,
): Promise<StoredVersion<Resource> | undefined> {
  const { transaction, table } = write;
  const locked = await lockPatient(transaction, id.patientId);
  const row = locked && (await selectDependent(transaction, table, id));
  if (!row) return undefined;
  const current = unopenedOf(table, row);
  if (row.document === null) return { resource: current, deleted: true };
  refuse(current);
  return { resource: unopenedOf(table, await writeNext(write, locked, row, null)), deleted: true };
}

/** Writes the version behind the current one; without a document it says that the dependent is deleted. */
async function writeNext<Resource extends Dependent>(
  write: Write<Resource>,
  locked: LockedPatient,
  current: DependentRow,
  document: VersionRow["document"],
): Promise<VersionRow> {
  const { transaction, table, now } = write;
  const { patientId, n, version } = current;
  const updatedAt = laterThan([current], now);
  const row: VersionRow = { patientId, n, version: version + 1, updatedAt, document };
  await transaction.$executeRaw`
    UPDATE ${table.current} SET version = ${row.version}, updated_at = ${row.updatedAt}, document = ${row.document}
    WHERE patient_id = ${patientId} AND n = ${n}`;
  await recordVersion(write, locked, row);
  return row;
}

/** Stores the sealed values that are new, and answers with the bytes of the rest. */
async function sealContent<Resource extends Dependent>(
  { transaction, keys, table }: Write<Resource>,
  id: DependentId,
  next: Resource,
  current: Current<Resource> | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const before = current?.stored.resource;
  const bytes = current?.row.document;
  const known = before && bytes ? knownValues(table.schema, bytes, before) : new Map<string, number>();
  const { document, added } = sealDocument(
    keys.primary,
    table.schema,
    next,
    holderOf(id),
    known,
    await firstFreeNumber(transaction, id.patientId),
  );
  await insertSealedRows(transaction, added);
  const { ended } = changedIdentifiers(before ? table.identifiersOf(before) : [], table.identifiersOf(next));
  await endSealedRows(transaction, id.patientId, ended, known);
  return document;
}

async function recordVersion<Resource>(
  { transaction, keys, table }: Write<Resource>,
  { id, lastEvent, lastDependent }: LockedPatient,
  row: VersionRow,
): Promise<void> {
  const event = lastEvent + 1;
  noteWrite(transaction, {
    patientId: id,
    action: actionOf(row),
    at: row.updatedAt,
    resource: `${table.type}/${publicNumber(row)}`,
  });
  const { authorKeyId, author } = sealedAuthor(keys, id);
  await transaction.$executeRaw`
    INSERT INTO ${table.history} (patient_id, n, version, updated_at, document, author_key_id, author)
    VALUES (${row.patientId}, ${row.n}, ${row.version}, ${row.updatedAt}, ${row.document}, ${authorKeyId},
      ${author})`;
  await transaction.$executeRaw`
    UPDATE patient SET last_event = ${event}, last_dependent = ${lastDependent} WHERE id = ${id}`;
  await recordChange(transaction, {
    resourceType: table.type,
    patientId: row.patientId,
    dependent: row.n,
    event,
    version: row.version,
    at: row.updatedAt,
  });
}

function actionOf({ version, document }: VersionRow): "C" | "U" | "D" {
  if (document === null) return "D";
  return version === 1 ? "C" : "U";
}
