import { AsyncLocalStorage } from "node:async_hooks";

const units = new AsyncLocalStorage<true>();

/** Runs work that is done as a whole or not at all: rows stay locked until all of it is done. */
export function underUnitOfWork<T>(work: () => T): T {
  return units.run(true, work);
}

/** Whether the work at hand is part of a whole. Then nobody outside, such as a register, should be waited for. */
export function isUnderUnitOfWork(): boolean {
  return units.getStore() ?? false;
}
