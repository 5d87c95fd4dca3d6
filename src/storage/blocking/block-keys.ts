import type { BlockChanges } from "../../matching/index.ts";
import type { Database, Transaction } from "../connection/database.ts";

/** A key and the patient who has it. */
export interface BlockKeyRow {
  readonly key: bigint;
  readonly patientId: bigint;
}

/** Writes keys of a patient; those that are there already stay. */
export async function insertBlockKeys(
  transaction: Transaction | Database,
  rows: readonly BlockKeyRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await transaction.$executeRaw`
    INSERT INTO block_key (key, patient_id)
    SELECT * FROM unnest(${rows.map(({ key }) => key)}::bigint[], ${rows.map(({ patientId }) => patientId)}::bigint[])
    ON CONFLICT DO NOTHING`;
}

/** Gives a patient the keys of its next version; what it had and has is not touched. */
export async function changeBlockKeys(
  transaction: Transaction,
  patientId: bigint,
  { gone, added }: BlockChanges,
): Promise<void> {
  if (gone.length > 0) {
    await transaction.$executeRaw`
      DELETE FROM block_key WHERE key = ANY(${[...gone]}::bigint[]) AND patient_id = ${patientId}`;
  }
  await insertBlockKeys(
    transaction,
    added.map((key) => ({ key, patientId })),
  );
}
