import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import { Prisma } from "../../../prisma/gen/client.ts";
import type { Transaction } from "../connection/database.ts";
import {
  type KnownValues,
  periodEnd,
  type SealedRow,
  type StoredValue,
  valueKey,
} from "./sealed-document.ts";

/** The rows of identifier_value of one owner as a read gets them; null when there are none. */
export interface SealedColumn {
  readonly sealed: string | null;
}

/** The column of rows `v` that `storedValues` reads: one text is made and read several times faster than arrays. */
export const SEALED_VALUES = Prisma.raw(
  "string_agg(v.n || ' ' || v.key_id || ' ' || encode(v.ciphertext, 'hex'), ',')",
);

export function storedValues({ sealed }: SealedColumn): StoredValue[] {
  if (sealed === null) return [];
  return sealed.split(",").map((row) => {
    const [n, keyId = "", ciphertext = ""] = row.split(" ");
    return { n: Number(n), keyId, ciphertext: Buffer.from(ciphertext, "hex") };
  });
}

/** Asked under the lock of the patient, under which alone numbers are given. */
export async function firstFreeNumber(transaction: Transaction, patientId: bigint): Promise<number> {
  const [row] = await transaction.$queryRaw<{ n: number | null }[]>`
    SELECT max(n) AS n FROM identifier_value WHERE patient_id = ${patientId}`;
  return (row?.n ?? 0) + 1;
}

/** Stores sealed values; they lie with their patient, so one statement does. */
export async function insertSealedRows(transaction: Transaction, rows: readonly SealedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const tuples = rows.map(
    (row) => Prisma.sql`(${row.patientId}, ${row.n}, ${row.owner}, ${row.country}, ${row.type}, ${row.keyId},
      ${row.valueHmac}, ${row.ciphertext}, ${row.periodEnd})`,
  );
  await transaction.$executeRaw`
    INSERT INTO identifier_value
      (patient_id, n, owner, country, type, key_id, value_hmac, ciphertext, period_end)
    VALUES ${Prisma.join(tuples)}`;
}

/** Notes when identifiers end whose values have their rows already. */
export async function endSealedRows(
  transaction: Transaction,
  patientId: bigint,
  ended: readonly Identifier[],
  known: KnownValues,
): Promise<void> {
  for (const identifier of ended) {
    await transaction.$executeRaw`
      UPDATE identifier_value SET period_end = ${periodEnd(identifier)}
      WHERE patient_id = ${patientId} AND n = ${known.get(valueKey(identifier))}`;
  }
}

/** What a new version does to the identifiers of a resource: takes some, changes when others end. */
export function changedIdentifiers(
  current: readonly Identifier[],
  next: readonly Identifier[],
): { readonly taken: Identifier[]; readonly ended: Identifier[] } {
  const before = new Map(current.map((identifier) => [valueKey(identifier), identifier]));
  const taken = next.filter((identifier) => !before.has(valueKey(identifier)));
  const ended = next.filter((identifier) => {
    const known = before.get(valueKey(identifier));
    return known && known.period?.end !== identifier.period?.end;
  });
  return { taken, ended };
}
