import { AsyncLocalStorage } from "node:async_hooks";

const signals = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs work on behalf of a call, so that whatever waits below it (a statement in the database) stops when the
 * call is cancelled or its deadline passes. Use cases need not hand the signal down.
 */
export function underSignal<T>(signal: AbortSignal, work: () => T): T {
  return signals.run(signal, work);
}

/** The signal of the call that is being worked on; undefined in background work. */
export function currentSignal(): AbortSignal | undefined {
  return signals.getStore();
}

/** Runs work that several calls share, so that the end of one of them does not end it for the others. */
export function underNoSignal<T>(work: () => T): T {
  return signals.exit(work);
}
