import type { HandlerContext } from "@connectrpc/connect";
import type { Logger } from "pino";
import { causesOf, GrpcStatus, type Meaning, type MpiError, type RenderedError } from "../../errors/index.ts";
import { traceOf } from "../../tracing/index.ts";
import { callContextOf } from "../call-context.ts";

const LINE_MS = 1000;

/**
 * Logs with its causes what should not have happened, or not in this house; what callers do wrong is no matter of ours.
 * While something that we need is away every call fails, all for the same reason: one has a line, and a second later the
 * others are counted in another.
 */
export class FailureLog {
  readonly #log: Logger;
  /** Calls that failed by an outage since the line about it, by their reason; none where none was written for a second. */
  readonly #more = new Map<string, number>();

  constructor(log: Logger) {
    this.#log = log;
  }

  note({ status, info }: RenderedError, error: MpiError, context: HandlerContext): void {
    const { reason } = info;
    const isOutage = status === GrpcStatus.UNAVAILABLE && reason !== ("SERVICE_STOPPING" satisfies Meaning);
    if (!isOutage && status !== GrpcStatus.INTERNAL && status !== GrpcStatus.DATA_LOSS) return;
    if (isOutage && this.#isCounted(reason)) return;
    const { requestId, span } = callContextOf(context);
    const method = `${context.service.typeName}/${context.method.name}`;
    this.#log.error({ requestId, ...traceOf(span), method, causes: causesOf(error) }, "call failed");
  }

  /** Whether another call failed by the same outage within the last second, so that this one is only counted. */
  #isCounted(reason: string): boolean {
    const more = this.#more.get(reason);
    this.#more.set(reason, more === undefined ? 0 : more + 1);
    if (more !== undefined) return true;
    setTimeout(() => this.#writeCount(reason), LINE_MS).unref();
    return false;
  }

  #writeCount(reason: string): void {
    const calls = this.#more.get(reason) ?? 0;
    this.#more.delete(reason);
    if (calls > 0) this.#log.error({ calls, reason }, "more calls failed for an outage");
  }
}
