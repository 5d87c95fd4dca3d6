import type { ContactDataQueue, WaitingContactData } from "../../patients/ports.ts";
import type { Database, Transaction } from "../database.ts";

/** The kind of outbox row that the population register is told from, and the name of the lease of who tells it. */
const CONTACT_DATA = "contact-data";

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
    async lease(holder, now, milliseconds) {
      const until = new Date(now.getTime() + milliseconds);
      const taken = await database.$executeRaw`
        UPDATE lease SET holder = ${holder}, held_until = ${until}
        WHERE name = ${CONTACT_DATA} AND (holder IS NULL OR holder = ${holder} OR held_until <= ${now})`;
      return taken > 0;
    },
    async release(holder) {
      await database.$executeRaw`
        UPDATE lease SET holder = NULL, held_until = NULL WHERE name = ${CONTACT_DATA} AND holder = ${holder}`;
    },
    async due(now, limit) {
      return await database.$queryRaw<WaitingContactData[]>`
        SELECT patient_id AS "patientId", n, version, attempts FROM outbox
        WHERE kind = ${CONTACT_DATA} AND (due_at IS NULL OR due_at <= ${now}) ORDER BY at, patient_id, n LIMIT ${limit}`;
    },
    async sent({ patientId, n }) {
      await database.$executeRaw`DELETE FROM outbox WHERE patient_id = ${patientId} AND n = ${n}`;
    },
    async failed({ patientId, n }, dueAt) {
      await database.$executeRaw`
        UPDATE outbox SET attempts = attempts + 1, due_at = ${dueAt} WHERE patient_id = ${patientId} AND n = ${n}`;
    },
  };
}
