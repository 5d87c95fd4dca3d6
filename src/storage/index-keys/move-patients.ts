import { MpiError } from "../../errors/index.ts";
import {
  blind,
  type IndexKey,
  type IndexKeys,
  openingKeys,
  seal,
  unseal,
} from "../../identifier-index/index.ts";
import type { Moved } from "../../index-maintenance/ports.ts";
import type { Database, Transaction } from "../connection/database.ts";
import type { SealedRow } from "../sealing/sealed-document.ts";
import { openAll } from "../sealing/unreadable.ts";
import { inTransaction } from "../transactions/transaction.ts";
import { moveAuthors } from "./move-authors.ts";

/** Where a rotation goes, and the keys of now. */
interface Move {
  readonly database: Database;
  readonly keys: IndexKeys;
  readonly to: IndexKey;
}

type StoredRow = Omit<SealedRow, "periodEnd" | "valueHmac">;

/** A row as it will be, and the hash by which the blind index has it now. */
interface MovedRow extends StoredRow {
  readonly oldHmac: Uint8Array<ArrayBuffer>;
  readonly newHmac: Uint8Array<ArrayBuffer>;
}

type Done = Pick<Moved, "rows" | "unreadable">;

/** Seals what the next patients hold under another key, each under its lock. */
export async function moveAfter(move: Move, after: bigint, limit: number): Promise<Moved | undefined> {
  const rows = await move.database.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM patient WHERE id > ${after} ORDER BY id LIMIT ${limit}`;
  const ids = rows.map(({ id }) => id);
  const lastPatient = ids.at(-1);
  if (lastPatient === undefined) return undefined;
  const locked: bigint[] = [];
  const done = [
    await inTransaction(move.database, async (transaction) => {
      locked.splice(0, locked.length, ...(await lockFree(transaction, ids)));
      return await moveLocked(move, transaction, locked);
    }),
  ];
  // Those that somebody else had locked, one by one: who holds one lock waits for nobody in a circle.
  for (const id of ids.filter((one) => !locked.includes(one))) {
    done.push(
      await inTransaction(move.database, async (transaction) => {
        await transaction.$queryRaw`SELECT id FROM patient WHERE id = ${id} FOR UPDATE`;
        return await moveLocked(move, transaction, [id]);
      }),
    );
  }
  return {
    lastPatient,
    rows: done.reduce((sum, one) => sum + one.rows, 0),
    unreadable: done.flatMap((one) => one.unreadable),
  };
}

async function lockFree(transaction: Transaction, ids: readonly bigint[]): Promise<bigint[]> {
  const rows = await transaction.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM patient WHERE id = ANY(${ids}) FOR UPDATE SKIP LOCKED`;
  return rows.map(({ id }) => id);
}

async function moveLocked(move: Move, transaction: Transaction, ids: readonly bigint[]): Promise<Done> {
  const stored = await transaction.$queryRaw<StoredRow[]>`
    SELECT patient_id AS "patientId", n, owner, country, type, key_id AS "keyId", ciphertext
    FROM identifier_value WHERE patient_id = ANY(${ids}) AND key_id <> ${move.to.keyId}`;
  const { contents: moved, unreadable } = openAll(stored, (row) => movedRow(move, row));
  await insertBlindRows(transaction, move.to, moved);
  await updateValues(transaction, moved);
  const authors = await moveAuthors(transaction, move.keys, move.to, ids);
  return { rows: moved.length + authors.rows, unreadable: [...unreadable, ...authors.unreadable] };
}

function movedRow({ keys, to }: Move, row: StoredRow): MovedRow {
  const value = unseal(keys, row, row);
  const from = openingKeys(keys).find(({ keyId }) => keyId === row.keyId);
  if (!from) throw new MpiError("INDEX_DECRYPTION_FAILED");
  return { ...row, ...seal(to, row, value), oldHmac: blind(from, value), newHmac: blind(to, value) };
}

/**
 * The blind index has identifiers of patients alone, and of those not what stands in extensions: a new row is made
 * where there is an old one. In the order of the hashes, as every writer does.
 */
async function insertBlindRows(
  transaction: Transaction,
  to: IndexKey,
  moved: readonly MovedRow[],
): Promise<void> {
  const own = moved.filter(({ owner, patientId, country, type }) => owner === patientId && country && type);
  if (own.length === 0) return;
  await transaction.$executeRaw`
    INSERT INTO identifier (value_hmac, country, type, key_id, patient_id, period_end)
    SELECT moved.new_hmac, held.country, held.type, ${to.keyId}, held.patient_id, held.period_end
    FROM unnest(${own.map((row) => row.oldHmac)}::bytea[], ${own.map((row) => row.newHmac)}::bytea[],
        ${own.map((row) => row.country)}::text[], ${own.map((row) => row.type)}::text[],
        ${own.map((row) => row.patientId)}::bigint[]) AS moved (old_hmac, new_hmac, country, type, patient_id)
      JOIN identifier held ON held.value_hmac = moved.old_hmac AND held.country = moved.country
        AND held.type = moved.type AND held.patient_id = moved.patient_id
    ORDER BY moved.new_hmac, held.country, held.type
    ON CONFLICT DO NOTHING`;
}

async function updateValues(transaction: Transaction, moved: readonly MovedRow[]): Promise<void> {
  if (moved.length === 0) return;
  await transaction.$executeRaw`
    UPDATE identifier_value AS held
    SET key_id = moved.key_id, value_hmac = moved.value_hmac, ciphertext = moved.ciphertext
    FROM unnest(${moved.map((row) => row.patientId)}::bigint[], ${moved.map((row) => row.n)}::int[],
        ${moved.map((row) => row.keyId)}::text[], ${moved.map((row) => row.newHmac)}::bytea[],
        ${moved.map((row) => row.ciphertext)}::bytea[]) AS moved (patient_id, n, key_id, value_hmac, ciphertext)
    WHERE held.patient_id = moved.patient_id AND held.n = moved.n`;
}
