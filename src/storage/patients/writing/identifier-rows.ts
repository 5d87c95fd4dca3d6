import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Blinding, blind, type IndexKeys, keysInUse } from "../../../identifier-index/index.ts";
import { parseIdentifierSystem } from "../../../identifiers/index.ts";
import { IdentifierTaken } from "../../../patients/ports.ts";
import type { Transaction } from "../../connection/database.ts";
import { sqlState, UNIQUE_VIOLATION } from "../../connection/sql-state.ts";
import { periodEnd } from "../../sealing/sealed-document.ts";

/** A row of the blind index. */
export interface IdentifierRow {
  readonly valueHmac: Uint8Array<ArrayBuffer>;
  readonly country: string;
  readonly type: string;
  readonly keyId: string;
  readonly periodEnd: Date | null;
}

/**
 * The blind index rows of identifiers, one under each key in use, in the order in which they must be written:
 * ascending by hash, so that two writers meet in the same order and neither waits for the other for ever.
 */
export function identifierRows(
  keys: IndexKeys,
  identifiers: readonly Identifier[],
  blinding: Blinding = blind,
): IdentifierRow[] {
  const rows = identifiers.flatMap((identifier) => {
    const system = parseIdentifierSystem(identifier.system ?? "");
    const { value } = identifier;
    if (!system || value === undefined) return [];
    return keysInUse(keys).map((key) => ({
      ...system,
      keyId: key.keyId,
      valueHmac: blinding(key, value),
      periodEnd: periodEnd(identifier),
    }));
  });
  return rows.sort((a, b) => Buffer.compare(a.valueHmac, b.valueHmac));
}

/** Takes identifiers for a patient, one statement each; the primary key refuses what somebody has already. */
export async function insertIdentifiers(
  transaction: Transaction,
  patientId: bigint,
  rows: readonly IdentifierRow[],
): Promise<void> {
  for (const row of rows) {
    try {
      await transaction.$executeRaw`
        INSERT INTO identifier (value_hmac, country, type, key_id, patient_id, period_end)
        VALUES (${row.valueHmac}, ${row.country}, ${row.type}, ${row.keyId}, ${patientId}, ${row.periodEnd})`;
    } catch (cause) {
      if (sqlState(cause) !== UNIQUE_VIOLATION) throw cause;
      throw new IdentifierTaken("Another patient has an identifier of this one.", { cause });
    }
  }
}

/** Notes when identifiers of a patient end, in the blind index. */
export async function endIdentifiers(
  transaction: Transaction,
  rows: readonly IdentifierRow[],
): Promise<void> {
  for (const row of rows) {
    await transaction.$executeRaw`
      UPDATE identifier SET period_end = ${row.periodEnd}
      WHERE value_hmac = ${row.valueHmac} AND country = ${row.country} AND type = ${row.type}`;
  }
}
