import type { HandlerContext } from "@connectrpc/connect";
import type { CurrentCall } from "../../call/current-call.ts";
import { callContextOf } from "../call-context.ts";

/** What the work of a call may need to know of it. */
export function currentCallOf(context: HandlerContext): CurrentCall {
  const timeoutMs = context.timeoutMs();
  const { requestId, version, caller } = callContextOf(context);
  return {
    headers: context.requestHeader,
    requestId,
    version,
    caller,
    deadline: timeoutMs === undefined ? undefined : Date.now() + timeoutMs,
  };
}
