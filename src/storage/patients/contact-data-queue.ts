import { latestTry } from "../../deliveries/index.ts";
import type { ContactDataQueue, WaitingContactData } from "../../patients/ports.ts";
import { FRONT, isOfKind, postpone, tupleOf } from "../changes/waiting.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { leaseOf } from "../connection/lease.ts";

/** The kind of outbox row that the population register is told from, and the name of the lease of who tells it. */
export const CONTACT_DATA = "contact-data";
const ARE_CONTACT_DATA = isOfKind(CONTACT_DATA);

/** Notes, in the transaction of the write, that the register is to be told; the patient's row is locked. */
export async function noteContactData(
  transaction: Transaction,
  { id, version, updatedAt }: { readonly id: bigint; readonly version: number; readonly updatedAt: Date },
): Promise<void> {
  const [row] = await transaction.$queryRaw<{ n: number }[]>`
    UPDATE patient SET last_event = last_event + 1 WHERE id = ${id} RETURNING last_event AS n`;
  await transaction.$executeRaw`
    INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at)
    VALUES (${id}, ${row?.n}, ${CONTACT_DATA}, 'Patient', 0, ${version}, ${updatedAt})`;
}

/** Contact data that wait in the outbox. */
export function contactDataQueue(database: Database): ContactDataQueue {
  return {
    ...leaseOf(database, CONTACT_DATA),
    async due(now, limit, behind = FRONT) {
      return await database.$queryRaw<WaitingContactData[]>`
        SELECT at, patient_id AS "patientId", n, version, attempts FROM outbox
        WHERE ${ARE_CONTACT_DATA} AND (at, patient_id, n) > ${tupleOf(behind)}
          AND (due_at IS NULL OR due_at <= ${now} OR due_at > ${latestTry(now)})
        ORDER BY at, patient_id, n LIMIT ${limit}`;
    },
    async isOvertaken({ patientId, n }) {
      const later = await database.$queryRaw<unknown[]>`
        SELECT n FROM outbox WHERE ${ARE_CONTACT_DATA} AND patient_id = ${patientId} AND n > ${n} LIMIT 1`;
      return later.length > 0;
    },
    async sent({ patientId, n }) {
      await database.$executeRaw`
        DELETE FROM outbox WHERE ${ARE_CONTACT_DATA} AND patient_id = ${patientId} AND n <= ${n}`;
    },
    failed: (waiting, dueAt) => postpone(database, waiting, dueAt),
  };
}
