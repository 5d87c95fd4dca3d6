import { MpiError } from "../../errors/index.ts";
import { blind, type IndexKeys, openingKeys, unseal } from "../../identifier-index/index.ts";
import type { BlindRow } from "../../index-maintenance/ports.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { hashesOfPart } from "../index-keys/hash-parts.ts";
import type { ValueRow } from "../sealing/sealed-document.ts";
import { isSame } from "./findings.ts";

interface StoredBlindRow extends BlindRow {
  readonly keyId: string;
}

/** The rows of a part of the blind index that stand for no value of their patient. */
export async function strayRowsOfPart(
  database: Database,
  keys: IndexKeys,
  part: number,
  parts: number,
): Promise<BlindRow[]> {
  const rows = await database.$queryRaw<StoredBlindRow[]>`
    SELECT value_hmac AS "valueHmac", country, type, key_id AS "keyId", patient_id AS "patientId"
    FROM identifier WHERE ${hashesOfPart(part, parts)}`;
  return await withoutValue(database, keys, rows);
}

/** Whether a row is still there and still stands for nothing; asked under the lock of its patient. */
export async function isStray(transaction: Transaction, keys: IndexKeys, row: BlindRow): Promise<boolean> {
  const rows = await transaction.$queryRaw<StoredBlindRow[]>`
    SELECT value_hmac AS "valueHmac", country, type, key_id AS "keyId", patient_id AS "patientId"
    FROM identifier WHERE value_hmac = ${row.valueHmac} AND country = ${row.country} AND type = ${row.type}`;
  return (await withoutValue(transaction, keys, rows)).length > 0;
}

async function withoutValue(
  database: Database | Transaction,
  keys: IndexKeys,
  rows: readonly StoredBlindRow[],
): Promise<BlindRow[]> {
  if (rows.length === 0) return [];
  const values = await database.$queryRaw<ValueRow[]>`
    SELECT patient_id AS "patientId", n, owner, country, type, key_id AS "keyId", value_hmac AS "valueHmac", ciphertext
    FROM identifier_value
    WHERE patient_id = ANY(${[...new Set(rows.map(({ patientId }) => patientId))]}) AND owner = patient_id`;
  const byPatient = Map.groupBy(values, ({ patientId }) => patientId);
  return rows.filter((row) => {
    const ofSystem = (byPatient.get(row.patientId) ?? []).filter(
      ({ country, type }) => country === row.country && type === row.type,
    );
    return (
      !ofSystem.some((value) => hasHash(value, row)) && !ofSystem.some((value) => hasValue(keys, value, row))
    );
  });
}

/** The usual case, which opens nothing: that the hash of a value is right is looked at with its patient. */
function hasHash(value: ValueRow, row: StoredBlindRow): boolean {
  return isSame(value.valueHmac, row.valueHmac);
}

/** While keys rotate, a value is under one of the keys of its two rows. */
function hasValue(keys: IndexKeys, value: ValueRow, row: StoredBlindRow): boolean {
  const key = openingKeys(keys).find(({ keyId }) => keyId === row.keyId);
  if (!key) return false;
  try {
    return isSame(blind(key, unseal(keys, value, value)), row.valueHmac);
  } catch (cause) {
    if (!(cause instanceof MpiError)) throw cause;
    return false; // reported with its patient
  }
}
