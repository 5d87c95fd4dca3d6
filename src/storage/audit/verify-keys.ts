import type { IndexKeys } from "../../identifier-index/index.ts";
import type { Transaction } from "../connection/database.ts";
import { type AuditKeyRow, opensAuditKey } from "./audit-keys.ts";

/** A key without which entries cannot be read. */
export interface AuditKeyProblem {
  readonly keyId: string;
  /** How many entries are sealed with it. */
  readonly entries: number;
  readonly fault: "is missing" | "does not open";
}

/** What is wrong with the keys of entries; whether they open is looked at where the keys of the index are at hand. */
export async function auditKeyProblems(
  transaction: Transaction,
  used: ReadonlyMap<string, number>,
  keys: IndexKeys | undefined,
): Promise<AuditKeyProblem[]> {
  const rows = await transaction.$queryRaw<AuditKeyRow[]>`
    SELECT key_id AS "keyId", sealed_by AS "sealedBy", ciphertext FROM audit_key`;
  const held = new Map(rows.map((row) => [row.keyId, row]));
  return [...used].flatMap(([keyId, entries]): AuditKeyProblem[] => {
    const row = held.get(keyId);
    if (!row) return [{ keyId, entries, fault: "is missing" }];
    return keys && !opensAuditKey(keys, row) ? [{ keyId, entries, fault: "does not open" }] : [];
  });
}
