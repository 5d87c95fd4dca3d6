import type { HandlerContext } from "@connectrpc/connect";
import type { Logger } from "pino";
import {
  causesOf,
  GrpcStatus,
  type Meaning,
  type MpiError,
  type RenderedError,
  RepeatedReasons,
} from "../../../errors/index.ts";
import { traceOf } from "../../../tracing/index.ts";
import { callContextOf } from "../../calls/call-context.ts";

const LINE_MS = 1000;

/**
 * Logs with its causes what should not have happened, or not in this house; what callers do wrong is no matter of ours.
 * While something that we need is away every call fails, all for the same reason: one has a line, and a second later the
 * others are counted in another.
 */
export class FailureLog {
  readonly #log: Logger;
  readonly #outages: RepeatedReasons;

  constructor(log: Logger) {
    this.#log = log;
    this.#outages = new RepeatedReasons(LINE_MS, (reason, calls) => {
      log.error({ calls, reason }, "more calls failed for an outage");
    });
  }

  note({ status, info }: RenderedError, error: MpiError, context: HandlerContext): void {
    const { reason } = info;
    const isOutage = status === GrpcStatus.UNAVAILABLE && reason !== ("SERVICE_STOPPING" satisfies Meaning);
    if (!isOutage && status !== GrpcStatus.INTERNAL && status !== GrpcStatus.DATA_LOSS) return;
    if (isOutage && this.#outages.isCounted(reason)) return;
    const { requestId, span } = callContextOf(context);
    const method = `${context.service.typeName}/${context.method.name}`;
    this.#log.error({ requestId, ...traceOf(span), method, causes: causesOf(error) }, "call failed");
  }
}
