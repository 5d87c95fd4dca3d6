import { ofPatient } from "../../errors/index.ts";
import { type IndexKeys, type KeyRing, openingKeys } from "../../identifier-index/index.ts";
import { inconsistent } from "../../index-maintenance/inconsistent.ts";
import type { IndexExamination } from "../../index-maintenance/ports.ts";
import { unreadableAuditKeys } from "../audit/audit-keys.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { selectKeyRecords } from "../index-keys/key-records.ts";
import { inTransaction } from "../transactions/transaction.ts";
import { type CheckKeys, findingsOf } from "./findings.ts";
import { selectHeldRows } from "./held-rows.ts";
import { isStray, strayRowsOfPart } from "./stray-rows.ts";

/** Looks at the index of a database. */
export function indexExamination(database: Database, ring: KeyRing): IndexExamination {
  return {
    async size() {
      const [row] = await database.$queryRaw<{ patients: bigint; rows: bigint }[]>`
        SELECT (SELECT count(*) FROM patient) AS patients, (SELECT count(*) FROM identifier) AS rows`;
      return { patients: Number(row?.patients ?? 0), rows: Number(row?.rows ?? 0) };
    },
    patientsAfter: (patientId, limit) =>
      ring.under(async (keys) => {
        const rows = await database.$queryRaw<{ id: bigint }[]>`
          SELECT id FROM patient WHERE id > ${patientId} ORDER BY id LIMIT ${limit}`;
        const ids = rows.map(({ id }) => id);
        const lastPatient = ids.at(-1);
        if (lastPatient === undefined) return undefined;
        const held = await selectHeldRows(database, ids);
        const findings = await findingsOf(database, await checkKeys(database, keys), held);
        const suspects = [...new Set(findings.map((finding) => finding.patientId))];
        return { lastPatient, patients: ids.length, suspects };
      }),
    examinePatient: (patientId) =>
      ring.under((keys) =>
        underLock(database, patientId, async (transaction) => {
          const held = await selectHeldRows(transaction, [patientId]);
          const findings = await findingsOf(transaction, await checkKeys(transaction, keys), held);
          return findings.map(({ problem }) => problem);
        }),
      ),
    examineShared: () =>
      ring.under(async (keys) =>
        (await unreadableAuditKeys(database, keys)).map((cause) => inconsistent(cause)),
      ),
    strayRows: (part, parts) => ring.under((keys) => strayRowsOfPart(database, keys, part, parts)),
    examineRow: (row) =>
      ring.under((keys) =>
        underLock(database, row.patientId, async (transaction) =>
          (await isStray(transaction, keys, row)) ? [ofPatient(row.patientId, inconsistent())] : [],
        ),
      ),
  };
}

function underLock<T>(
  database: Database,
  patientId: bigint,
  look: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (transaction) => {
    await transaction.$queryRaw`SELECT id FROM patient WHERE id = ${patientId} FOR UPDATE`;
    return await look(transaction);
  });
}

/** While the next key joins and is filled, the blind index is complete under the primary one. */
async function checkKeys(database: Database | Transaction, keys: IndexKeys): Promise<CheckKeys> {
  const records = await selectKeyRecords(database);
  const primary = records.find(({ state }) => state === "primary")?.keyId;
  return { keys, complete: openingKeys(keys).find(({ keyId }) => keyId === primary) ?? keys.primary };
}
