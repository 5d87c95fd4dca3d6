import type { Database } from "../database.ts";

/** Which row of the outbox something is. */
export interface OutboxPlace {
  readonly patientId: bigint;
  readonly n: number;
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
