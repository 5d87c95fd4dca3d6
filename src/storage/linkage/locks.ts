import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { LockedLink, LockedPatient, PatientPair } from "../../linkage/ports.ts";
import { readMessage, writeMessage } from "../../messages/index.ts";
import type { Transaction } from "../connection/database.ts";
import { ascending } from "../transactions/ascending.ts";

/** A group changed between the look for its root and the lock: nothing was written, it is to be tried again. */
class GroupChanged extends Error {
  override readonly name = "GroupChanged";
}

const ATTEMPTS = 100;

/** Does something anew until no group changes under its hands: whoever comes in between has got on. */
export async function unlessChanged<Result>(attemptOne: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOne();
    } catch (cause) {
      if (!(cause instanceof GroupChanged) || attempt === ATTEMPTS) throw cause;
    }
  }
}

/** A patient and the root of its group; null while it is alone. */
export interface Rooted {
  readonly id: bigint;
  readonly rootId: bigint | null;
}

export interface LockedRow extends Rooted {
  readonly updatedAt: Date;
  readonly document: Uint8Array;
}

/** The rows of a pair and of the roots of both. */
export interface LockedRows {
  readonly source: LockedRow;
  readonly target: LockedRow;
  readonly all: readonly LockedRow[];
}

/** Locks a pair and the roots of their groups. */
export async function lockPair(transaction: Transaction, pair: PatientPair): Promise<LockedRows> {
  const rows = await lockWithRoots(transaction, [pair.source, pair.target], lockRow);
  return { source: rowOf(rows, pair.source), target: rowOf(rows, pair.target), all: [...rows.values()] };
}

/**
 * Locks patients and the roots of their groups: first the roots, then the others, each ascending by id. What is not as
 * it was looked up any more is GroupChanged before it waits for anything else, and the locks are to be given back: so
 * whoever waits for a root holds lower roots alone, whoever waits for a member holds its root and lower members, and nobody
 * waits in a circle. Ids of nobody are passed over.
 */
export async function lockWithRoots<Row extends Rooted>(
  transaction: Transaction,
  ids: readonly bigint[],
  lock: (transaction: Transaction, id: bigint) => Promise<Row>,
): Promise<ReadonlyMap<bigint, Row>> {
  const seen = await selectRoots(transaction, ids);
  const rows = new Map<bigint, Row>();
  for (const id of ascending(seen.values())) {
    const row = await lock(transaction, id);
    refuseUnless(rootOf(row) === id);
    rows.set(id, row);
  }
  const members = ascending(seen.keys()).filter((id) => !rows.has(id));
  if (members.length > 0) {
    // Under the locks of the roots these stay members, if they are.
    const now = await selectRoots(transaction, members);
    refuseUnless(members.every((id) => now.get(id) === seen.get(id)));
  }
  for (const id of members) rows.set(id, await lock(transaction, id));
  return rows;
}

/** The roots of patients, by the patient; one who is alone is its own. */
export async function selectRoots(
  transaction: Transaction,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, bigint>> {
  const rows = await transaction.$queryRaw<{ id: bigint; rootId: bigint }[]>`
    SELECT id, coalesce(root_id, id) AS "rootId" FROM patient WHERE id = ANY(${[...ids]})`;
  return new Map(rows.map(({ id, rootId }) => [id, rootId]));
}

function refuseUnless(isUnchanged: boolean): void {
  if (!isUnchanged) throw new GroupChanged("A patient was linked or unlinked meanwhile.");
}

/** What the rules need to know of the pair. The links are read after the locks, so they are those of now. */
export async function lockedPatients(
  transaction: Transaction,
  { source, target }: LockedRows,
): Promise<{ source: LockedPatient; target: LockedPatient }> {
  const links = await transaction.$queryRaw<(LockedLink & { secondaryId: bigint })[]>`
    SELECT secondary_id AS "secondaryId", primary_id AS "primaryId", deactivated
    FROM link WHERE secondary_id IN (${source.id}, ${target.id})`;
  const linkOf = (id: bigint) => links.find(({ secondaryId }) => secondaryId === id);
  return {
    source: lockedPatient(source, linkOf(source.id)),
    target: lockedPatient(target, linkOf(target.id)),
  };
}

export function rootOf({ id, rootId }: Rooted): bigint {
  return rootId ?? id;
}

/** Makes a locked patient active or inactive; its next version is written by the caller. */
export async function setActive(transaction: Transaction, row: LockedRow, active: boolean): Promise<void> {
  const document = Uint8Array.from(writeMessage(PatientSchema, { ...contentOf(row), active }));
  await transaction.$executeRaw`
    UPDATE patient SET active = ${active}, document = ${document} WHERE id = ${row.id}`;
}

function lockedPatient(row: LockedRow, link: LockedLink | undefined): LockedPatient {
  const { active, identifier } = contentOf(row);
  return {
    id: row.id,
    rootId: rootOf(row),
    link,
    active,
    systems: identifier.map(({ system = "" }) => system),
  };
}

/** The stored content; its identifier values are sealed, their systems are not. */
function contentOf({ document }: LockedRow): Patient {
  return readMessage(PatientSchema, document);
}

async function lockRow(transaction: Transaction, id: bigint): Promise<LockedRow> {
  const [row] = await transaction.$queryRaw<LockedRow[]>`
    SELECT id, root_id AS "rootId", updated_at AS "updatedAt", document
    FROM patient WHERE id = ${id} FOR UPDATE`;
  if (!row) throw new Error("A patient to be locked is not there.");
  return row;
}

function rowOf(rows: ReadonlyMap<bigint, LockedRow>, id: bigint): LockedRow {
  const row = rows.get(id);
  if (!row) throw new Error("A patient to be linked is not there.");
  return row;
}
