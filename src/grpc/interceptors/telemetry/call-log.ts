import type { Logger } from "pino";
import { traceOf } from "../../../tracing/index.ts";
import { callContextOf } from "../../calls/call-context.ts";
import type { TellEnd } from "./when-ended.ts";

/** Writes a line per call when it has ended: method, status, time, request id; no values. Refused calls at info, others at debug. */
export function logEnd(log: Logger): TellEnd {
  return ({ method, context }, ms, end) => {
    const level = end.status === "OK" ? "debug" : "info";
    if (!log.isLevelEnabled(level)) return;
    const { requestId, span } = callContextOf(context);
    const line = {
      requestId,
      ...traceOf(span),
      method: `${method.parent.typeName}/${method.name}`,
      protocol: context.protocolName,
      ...end,
      ms: Math.round(ms * 10) / 10,
    };
    log[level](line, "call ended");
  };
}
