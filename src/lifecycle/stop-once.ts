import type { Stoppable } from "./stoppable.ts";

/** What a process has for the rest of its stop after the grace of its requests: its jobs, its connections. */
export const CLOSING_MS = 5_000;

export interface Stopping {
  /** When it is too late: a database that hangs would keep the process for ever. It ends then, with exit code 1. */
  readonly limitMs: number;
  readonly stopped: () => void;
  readonly failed: (error: unknown) => void;
}

/** A function that begins to stop the service when it is first called, and says whether that was now. */
export function stopOnce(service: Stoppable, { limitMs, stopped, failed }: Stopping): () => boolean {
  let stopping = false;
  return () => {
    if (stopping) return false;
    stopping = true;
    setTimeout(() => giveUp(limitMs), limitMs).unref();
    service.stop().catch(failed).then(stopped);
    return true;
  };
}

function giveUp(limitMs: number): void {
  console.error(`Stopping took longer than ${limitMs} ms: the process ends as it is.`);
  process.exit(1);
}
