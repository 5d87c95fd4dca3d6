import { underUnitOfWork } from "../call/unit-of-work.ts";
import type { KeyRing } from "../identifier-index/index.ts";
import type { UnitOfWork } from "../transactions/ports.ts";
import { ambientTransaction, underTransaction } from "./connection/ambient-transaction.ts";
import type { Database, Transaction } from "./connection/database.ts";
import { lockWithRoots, type Rooted, selectRoots, unlessChanged } from "./linkage/locks.ts";
import { underKeysInUse } from "./sealing/keys-in-use.ts";
import {
  isUnderWay,
  lockWhomMet,
  PatientBusy,
  rememberingPatients,
  setOut,
} from "./transactions/patients-met.ts";
import { inTransaction } from "./transactions/transaction.ts";

const NOBODY: ReadonlyMap<bigint, bigint> = new Map();

/**
 * One transaction of PostgreSQL for all that the stores on the same database do in it. The keys that the first of them
 * used are in use until its end: a rotation waits for the commit, not only for the part that sealed something.
 */
export function unitOfWork(database: Database, ring: KeyRing): UnitOfWork {
  return {
    run: (work) =>
      rememberingPatients(() =>
        underKeysInUse(database, ring, () =>
          inTransaction(database, (transaction) =>
            underTransaction({ database, transaction }, () => underUnitOfWork(work)),
          ),
        ),
      ),
    async lockPatients(known) {
      const transaction = ambientTransaction(database);
      if (!transaction) throw new Error("There is no unit of work to lock patients in.");
      if (isUnderWay()) {
        await lockWhomMetWithRoots(transaction, known);
        return NOBODY;
      }
      const ids = [...known, ...setOut()];
      if (ids.length === 0) return NOBODY;
      // A part of its own each time: undone, it gives back the locks that it took.
      const locked = await unlessChanged(() =>
        inTransaction(database, (transaction) => lockWithRoots(transaction, ids, lockPatient)),
      );
      return new Map(
        [...locked.values()].flatMap(({ id, rootId }) => (rootId === null ? [] : [[id, rootId]])),
      );
    },
  };
}

/** With the primaries of their groups, so that nobody else does meanwhile what is done once for a whole group. */
async function lockWhomMetWithRoots(transaction: Transaction, ids: readonly bigint[]): Promise<void> {
  const seen = await selectRoots(transaction, ids);
  for (const id of new Set([...seen.values(), ...seen.keys()])) await lockWhomMet(transaction, id);
  const now = await selectRoots(transaction, ids);
  for (const [id, root] of seen) if (now.get(id) !== root) throw new PatientBusy(id);
}

async function lockPatient(transaction: Transaction, id: bigint): Promise<Rooted> {
  const [row] = await transaction.$queryRaw<Rooted[]>`
    SELECT id, root_id AS "rootId" FROM patient WHERE id = ${id} FOR UPDATE`;
  if (!row) throw new Error("A patient to be locked is not there.");
  return row;
}
