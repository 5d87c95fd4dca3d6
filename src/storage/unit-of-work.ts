import { underUnitOfWork } from "../call/unit-of-work.ts";
import type { KeyRing } from "../identifier-index/index.ts";
import type { UnitOfWork } from "../transactions/ports.ts";
import { ascending } from "./ascending.ts";
import { ambientTransaction, underTransaction } from "./connection/ambient-transaction.ts";
import type { Database, Transaction } from "./connection/client.ts";
import { inTransaction } from "./transaction.ts";

/**
 * One transaction of PostgreSQL for all that the stores on the same database do in it. The keys that the first of them
 * used are in use until its end: a rotation waits for the commit, not only for the part that sealed something.
 */
export function unitOfWork(database: Database, ring: KeyRing): UnitOfWork {
  return {
    run: (work) =>
      ring.under(() =>
        inTransaction(database, (transaction) =>
          underTransaction({ database, transaction }, () => underUnitOfWork(work)),
        ),
      ),
    async lockPatients(ids) {
      const transaction = ambientTransaction(database);
      if (!transaction) throw new Error("There is no unit of work to lock patients in.");
      await lockWithRoots(transaction, ids);
    },
  };
}

/**
 * The roots of their groups first, then they themselves, each ascending, as linkage/locks.ts does. There is no second
 * look for the roots: when a group changes in between, somebody may wait in a circle, and the victim is tried again.
 */
async function lockWithRoots(transaction: Transaction, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await transaction.$queryRaw<{ id: bigint; rootId: bigint }[]>`
    SELECT id, coalesce(root_id, id) AS "rootId" FROM patient WHERE id = ANY(${[...ids]})`;
  const roots = new Set(rows.map(({ rootId }) => rootId));
  const members = rows.map(({ id }) => id).filter((id) => !roots.has(id));
  for (const id of [...ascending(roots), ...ascending(members)]) {
    await transaction.$queryRaw`SELECT id FROM patient WHERE id = ${id} FOR UPDATE`;
  }
}
