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
  /** Calls that failed by an outage since the line about it; undefined where none has been written for a second. */
  #more: number | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  note({ status, info }: RenderedError, error: MpiError, context: HandlerContext): void {
    const isOutage = info.reason === ("SERVICE_UNAVAILABLE" satisfies Meaning);
    if (!isOutage && status !== GrpcStatus.INTERNAL && status !== GrpcStatus.DATA_LOSS) return;
    if (isOutage && this.#isCounted()) return;
    const { requestId, span } = callContextOf(context);
    const method = `${context.service.typeName}/${context.method.name}`;
    this.#log.error({ requestId, ...traceOf(span), method, causes: causesOf(error) }, "call failed");
  }

  /** Whether another call failed by an outage within the last second, so that this one is only counted. */
  #isCounted(): boolean {
    if (this.#more !== undefined) {
      this.#more += 1;
      return true;
    }
    this.#more = 0;
    setTimeout(() => this.#writeCount(), LINE_MS).unref();
    return false;
  }

  #writeCount(): void {
    const calls = this.#more ?? 0;
    this.#more = undefined;
    if (calls > 0) this.#log.error({ calls }, "more calls failed for an outage");
  }
}
