import { AsyncLocalStorage } from "node:async_hooks";
import type { Transaction } from "./connection/client.ts";
import { LOCK_NOT_AVAILABLE, sqlState } from "./connection/sql-state.ts";

/** A patient whom work that may hold others came upon is somebody else's now: nothing was written, it is to begin anew. */
class PatientBusy extends Error {
  override readonly name = "PatientBusy";
  readonly id: bigint;

  constructor(id: bigint, cause: unknown) {
    super("A patient is locked by somebody else.", { cause });
    this.id = id;
  }
}

const met = new AsyncLocalStorage<Set<bigint>>();

/**
 * Does work that locks patients at its beginning, and may meet others on its way. Whom it meets is not waited for, since
 * somebody may wait for those that it holds: it begins anew, and locks all whom it has met at its beginning, in their order.
 */
export async function rememberingPatients<Result>(work: () => Promise<Result>): Promise<Result> {
  const all = new Set<bigint>();
  for (;;) {
    const before = new Set(all);
    try {
      return await met.run(all, work);
    } catch (cause) {
      if (!(cause instanceof PatientBusy) || before.has(cause.id)) throw cause;
    }
  }
}

/** Whom the work at hand has met, before it began anew. */
export function patientsMet(): bigint[] {
  return [...(met.getStore() ?? [])];
}

/** Locks a patient whom the work at hand comes upon, if there is such work; whoever has no other locks may wait. */
export async function lockWhomMet(transaction: Transaction, id: bigint): Promise<void> {
  const all = met.getStore();
  if (all === undefined) return;
  all.add(id);
  try {
    await transaction.$queryRaw`SELECT id FROM patient WHERE id = ${id} FOR UPDATE NOWAIT`;
  } catch (cause) {
    throw sqlState(cause) === LOCK_NOT_AVAILABLE ? new PatientBusy(id, cause) : cause;
  }
}
