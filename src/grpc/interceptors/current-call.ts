import type { HandlerContext } from "@connectrpc/connect";
import type { CurrentCall } from "../../call/current-call.ts";
import { callContextOf } from "../calls/call-context.ts";

/** What the work of a call may need to know of it. */
export function currentCallOf(context: HandlerContext): CurrentCall {
  const timeoutMs = context.timeoutMs();
  const { requestId, version, caller, accesses, span } = callContextOf(context);
  return {
    headers: context.requestHeader,
    requestId,
    method: methodName(context),
    version,
    caller,
    accesses,
    deadline: timeoutMs === undefined ? undefined : Date.now() + timeoutMs,
    span,
  };
}

/** The method of a call and its service, without the package that all of ours are in. */
export function methodName({ service, method }: Pick<HandlerContext, "service" | "method">): string {
  return `${service.name}/${method.name}`;
}
