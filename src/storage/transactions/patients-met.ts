import { AsyncLocalStorage } from "node:async_hooks";
import type { Transaction } from "../connection/database.ts";
import { LOCK_NOT_AVAILABLE, sqlState } from "../connection/sql-state.ts";

/** A patient whom work that may hold others came upon is somebody else's now: nothing was written, it is to begin anew. */
export class PatientBusy extends Error {
  override readonly name = "PatientBusy";
  readonly id: bigint;

  constructor(id: bigint, cause?: unknown) {
    super("A patient is locked or linked by somebody else.", { cause });
    this.id = id;
  }
}

interface Work {
  readonly met: Set<bigint>;
  /** It has locked those whom it knew, and may hold what others wait for. */
  isUnderWay: boolean;
}

const works = new AsyncLocalStorage<Work>();

/**
 * Does work that locks patients at its beginning, and may meet others on its way. Whom it meets is not waited for, since
 * somebody may wait for those that it holds: it begins anew, and locks all whom it has met at its beginning, in their order.
 * Work that locks nobody at its beginning may wait for the one patient that it meets.
 */
export async function rememberingPatients<Result>(work: () => Promise<Result>): Promise<Result> {
  const met = new Set<bigint>();
  for (;;) {
    const before = new Set(met);
    try {
      return await works.run({ met, isUnderWay: false }, work);
    } catch (cause) {
      if (!(cause instanceof PatientBusy) || before.has(cause.id)) throw cause;
    }
  }
}

/** Whether the beginning of the work at hand is over. */
export function isUnderWay(): boolean {
  return works.getStore()?.isUnderWay ?? false;
}

/** From now on the work at hand is under way. Tells whom it met before it began anew, to be locked now with those whom it knows. */
export function setOut(): bigint[] {
  const work = works.getStore();
  if (work) work.isUnderWay = true;
  return [...(work?.met ?? [])];
}

/** Locks a patient whom work under way comes upon; whoever has no other locks may wait. */
export async function lockWhomMet(transaction: Transaction, id: bigint): Promise<void> {
  const work = works.getStore();
  if (!work?.isUnderWay) return;
  work.met.add(id);
  try {
    await transaction.$queryRaw`SELECT id FROM patient WHERE id = ${id} FOR UPDATE NOWAIT`;
  } catch (cause) {
    throw sqlState(cause) === LOCK_NOT_AVAILABLE ? new PatientBusy(id, cause) : cause;
  }
}
