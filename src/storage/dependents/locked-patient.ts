import { type DependentId, MAXIMUM_NUMBER } from "../../dependents/dependent-id.ts";
import { NumbersExhausted, type Surroundings } from "../../dependents/ports.ts";
import type { IndexKeys } from "../../identifier-index/index.ts";
import type { Transaction } from "../connection/database.ts";
import { selectGroup } from "../patients/reading/memberships.ts";
import { selectPatients } from "../patients/reading/read-patients.ts";
import { type PatientRow, patientOf } from "../patients/reading/stored-patient.ts";
import { openable } from "../sealing/unreadable.ts";
import { lockWhomMet } from "../transactions/patients-met.ts";
import { relatedPersonTable } from "./dependent-table.ts";
import { selectDependentsOf } from "./read-dependents.ts";
import { type DependentRow, versionOf } from "./stored-dependent.ts";

/** A patient whose row is locked until the transaction ends. */
export interface LockedPatient {
  readonly id: bigint;
  /** Primary of its group, which can be the patient itself; null while it is alone. */
  readonly rootId: bigint | null;
  readonly lastEvent: number;
  readonly lastDependent: number;
}

/** Whoever writes something that lies with a patient takes this lock first. */
export async function lockPatient(transaction: Transaction, id: bigint): Promise<LockedPatient | undefined> {
  await lockWhomMet(transaction, id);
  const [row] = await transaction.$queryRaw<LockedPatient[]>`
    SELECT id, root_id AS "rootId", last_event AS "lastEvent", last_dependent AS "lastDependent"
    FROM patient WHERE id = ${id} FOR UPDATE`;
  return row;
}

/** The number of a new dependent of any type. */
export function nextDependent({ id, lastDependent }: LockedPatient): DependentId {
  if (lastDependent >= MAXIMUM_NUMBER) {
    throw new NumbersExhausted("The patient has had as many dependents as ids can tell apart.");
  }
  return { patientId: id, n: lastDependent + 1 };
}

/**
 * What rules decide on: it lies with the patient, so that nobody changes it under the lock. What lies with others of its
 * group is read as it is: a change of that, at the same time, is as one that comes later, and what does not open
 * (MPI-003) is left out. What does not open of the patient's own is thrown.
 */
export async function surroundingsOf(
  transaction: Transaction,
  keys: IndexKeys,
  { id, rootId }: LockedPatient,
): Promise<Surroundings> {
  const others = rootId === null ? [] : await selectOthersOfGroup(transaction, rootId, id);
  const patients = await selectPatients(transaction, [id, ...others]);
  const contacts = await selectDependentsOf(transaction, relatedPersonTable, [id, ...others]);
  const identifiersOf = (row: PatientRow) => patientOf(keys, row).identifier;
  const contactOf = (row: DependentRow) => versionOf(keys, relatedPersonTable, row).resource;
  const own = patients.filter((row) => row.id === id).flatMap(identifiersOf);
  const ofOthers = patients.filter((row) => row.id !== id);
  const contactsOfOthers = contacts.filter(({ patientId }) => patientId !== id);
  return {
    groupIdentifiers: [...own, ...openable(ofOthers, identifiersOf).flat()],
    relatedPersons: contacts.filter(({ patientId }) => patientId === id).map(contactOf),
    groupRelatedPersons: openable(contactsOfOthers, contactOf),
  };
}

async function selectOthersOfGroup(transaction: Transaction, rootId: bigint, id: bigint): Promise<bigint[]> {
  const members = await selectGroup(transaction, rootId);
  return [rootId, ...members.map(({ memberId }) => memberId)].filter((one) => one !== id);
}
