import type { HandlerContext } from "@connectrpc/connect";
import type { Logger } from "pino";
import { causesOf, GrpcStatus, type Meaning, type MpiError, type RenderedError } from "../../errors/index.ts";
import { callContextOf } from "../call-context.ts";

const LINE_MS = 1000;

/** Failures since the last line about an outage, by the log that has it. */
const unwritten = new WeakMap<Logger, { calls: number }>();

/**
 * Logs with its causes what should not have happened, or not in this house; what callers do wrong is no matter of ours.
 * While something that we need is away every call fails, all for the same reason: one has a line, and a second later the
 * others are counted in another.
 */
export function logOwnFault(
  log: Logger,
  { status, info }: RenderedError,
  error: MpiError,
  context: HandlerContext,
): void {
  const isOutage = info.reason === ("SERVICE_UNAVAILABLE" satisfies Meaning);
  if (!isOutage && status !== GrpcStatus.INTERNAL && status !== GrpcStatus.DATA_LOSS) return;
  if (isOutage && isCounted(log)) return;
  const { requestId } = callContextOf(context);
  const method = `${context.service.typeName}/${context.method.name}`;
  log.error({ requestId, method, causes: causesOf(error) }, "call failed");
}

/** Whether another call failed by an outage within the last second, so that this one is only counted. */
function isCounted(log: Logger): boolean {
  const current = unwritten.get(log);
  if (current) {
    current.calls += 1;
    return true;
  }
  const started = { calls: 0 };
  unwritten.set(log, started);
  setTimeout(() => {
    unwritten.delete(log);
    if (started.calls > 0) log.error({ calls: started.calls }, "more calls failed for an outage");
  }, LINE_MS).unref();
  return false;
}
