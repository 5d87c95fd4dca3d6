import { ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import { causesOf, RepeatedReasons, unreachableBecause } from "../../src/errors/index.ts";

/** By what a failure is found in the log: the id of its request, the pattern of the route; nothing of its address. */
export interface FailedWork {
  readonly requestId: string;
  readonly route: string | undefined;
  /** For a batch: how many of its entries failed with the status; the causes logged are those of the first. */
  readonly entries?: number;
}

/** After a line about why the core did not answer, others for the same reason are counted for so long. */
const LINE_MS = 1_000;

/**
 * Logs with its causes what is our own fault. What the core answered with, the core has logged itself. While the core cannot
 * be reached, one line says why, and one a second later how many more there were. Faults of callers are not logged.
 */
export class FailureLog {
  readonly #log: Logger;
  readonly #outages: RepeatedReasons;

  constructor(log: Logger) {
    this.#log = log;
    this.#outages = new RepeatedReasons(LINE_MS, (reason, requests) => {
      log.warn({ requests, reason }, "the core did not answer more requests");
    });
  }

  note(work: FailedWork, status: number, error: unknown): void {
    if (status < 500 || (error instanceof ConnectError && error.details.length > 0)) return;
    if (status === 500) {
      this.#log.error({ ...work, status, causes: causesOf(error) }, "request failed");
      return;
    }
    const reason = unreachableBecause(error);
    if (reason !== undefined && this.#outages.isCounted(reason)) return;
    this.#log.warn({ ...work, status, reason }, "the core did not answer");
  }
}
