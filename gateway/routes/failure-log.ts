import { ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import { causesOf, unreachableBecause } from "../../src/errors/index.ts";

/** By what a failure is found in the log: the id of its request, the pattern of the route; nothing of its address. */
export interface FailedWork {
  readonly requestId: string;
  readonly route: string | undefined;
  /** Of a batch: how many of its entries failed with the status; the causes are those of the first. */
  readonly entries?: number;
}

/**
 * Logs with its causes what is our own fault. What the core said it has logged itself; that it is away is one line, with why; what
 * callers do wrong is none.
 */
export function logFailure(log: Logger, work: FailedWork, status: number, error: unknown): void {
  if (status < 500 || (error instanceof ConnectError && error.details.length > 0)) return;
  if (status === 500) log.error({ ...work, status, causes: causesOf(error) }, "request failed");
  else log.warn({ ...work, status, reason: unreachableBecause(error) }, "the core did not answer");
}
