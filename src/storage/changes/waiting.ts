import { Prisma } from "../../../prisma/gen/client.ts";
import type { OutboxPlace } from "../../deliveries/ports.ts";
import type { Database } from "../connection/database.ts";

/** Before all places. */
export const FRONT: OutboxPlace = { at: new Date(0), patientId: 0n, n: 0 };

/** Rows of a kind. It stands in the text of the statement: the indexes of the outbox serve no parameter. */
export function isOfKind(kind: string): Prisma.Sql {
  return Prisma.raw(`kind = '${kind}'`);
}

/** What `(at, patient_id, n)` compares with. */
export function tupleOf({ at, patientId, n }: OutboxPlace): Prisma.Sql {
  return Prisma.sql`(${at}, ${patientId}, ${n})`;
}

/** Takes a row that was delivered out of the outbox. */
export async function settle(database: Database, { patientId, n }: OutboxPlace): Promise<void> {
  await database.$executeRaw`DELETE FROM outbox WHERE patient_id = ${patientId} AND n = ${n}`;
}

/** Counts an attempt that failed; the row is due again at an instant. */
export async function postpone(
  database: Database,
  { patientId, n }: OutboxPlace,
  dueAt: Date,
): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET attempts = attempts + 1, due_at = ${dueAt} WHERE patient_id = ${patientId} AND n = ${n}`;
}
