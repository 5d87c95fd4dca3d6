import { type DependentId, MAXIMUM_NUMBER } from "../../dependents/dependent-id.ts";
import { NumbersExhausted, type Surroundings } from "../../dependents/ports.ts";
import type { IndexKeys } from "../../identifier-index/index.ts";
import type { Transaction } from "../database.ts";
import { selectPatient } from "../patients/read-patients.ts";
import { patientOf } from "../patients/stored-patient.ts";
import { relatedPersonTable } from "./dependent-table.ts";
import { selectDependentsOf } from "./read-dependents.ts";
import { versionOf } from "./stored-dependent.ts";

/** A patient whose row is locked until the transaction ends. */
export interface LockedPatient {
  readonly id: bigint;
  readonly lastEvent: number;
  readonly lastDependent: number;
}

/** Whoever writes something that lies with a patient takes this lock first. */
export async function lockPatient(transaction: Transaction, id: bigint): Promise<LockedPatient | undefined> {
  const [row] = await transaction.$queryRaw<LockedPatient[]>`
    SELECT id, last_event AS "lastEvent", last_dependent AS "lastDependent"
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

/** What rules decide on: it lies with the patient, so that nobody changes it under the lock. */
export async function surroundingsOf(
  transaction: Transaction,
  keys: IndexKeys,
  { id }: LockedPatient,
): Promise<Surroundings> {
  const patient = await selectPatient(transaction, id);
  const contacts = await selectDependentsOf(transaction, relatedPersonTable, [id]);
  return {
    patientIdentifiers: patient ? patientOf(keys, patient).identifier : [],
    relatedPersons: contacts.map((row) => versionOf(keys, relatedPersonTable, row).resource),
  };
}
