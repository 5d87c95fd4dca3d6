import { MpiError } from "../../errors/index.ts";
import { blind, type IndexKey, unseal } from "../../identifier-index/index.ts";
import { type AuditKeyRow, opensAuditKey } from "../audit/audit-keys.ts";
import type { Database } from "../connection/database.ts";
import type { ValueRow } from "../sealing/sealed-document.ts";

/** Some records may be damaged; a key that opens none of so many is another one. */
const TRIED = 20;

/**
 * Whether a key is the one of its id that values of the database were sealed and hashed with, or, where there are no
 * values, the keys of audit entries; true as well when nothing is stored under its id. Where hardly any value is, all of
 * them are read.
 */
export async function opensWhatIsStored(database: Database, key: IndexKey): Promise<boolean> {
  const values = await database.$queryRaw<ValueRow[]>`
    SELECT patient_id AS "patientId", n, owner, country, type, key_id AS "keyId", value_hmac AS "valueHmac", ciphertext
    FROM identifier_value WHERE key_id = ${key.keyId} LIMIT ${TRIED}`;
  if (values.length > 0) return values.some((row) => isOf(key, row));
  const auditKeys = await database.$queryRaw<AuditKeyRow[]>`
    SELECT key_id AS "keyId", sealed_by AS "sealedBy", ciphertext FROM audit_key
    WHERE sealed_by = ${key.keyId} LIMIT ${TRIED}`;
  return auditKeys.length === 0 || auditKeys.some((row) => opensAuditKey({ primary: key }, row));
}

function isOf(key: IndexKey, row: ValueRow): boolean {
  try {
    return Buffer.compare(blind(key, unseal({ primary: key }, row, row)), row.valueHmac) === 0;
  } catch (cause) {
    if (!(cause instanceof MpiError)) throw cause;
    return false;
  }
}
