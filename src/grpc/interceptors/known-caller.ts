import { type Authentication, identifyCaller } from "../../access/index.ts";
import { callContextOf, keepCallContext } from "../call-context.ts";
import type { Interceptor } from "./interceptor.ts";

/** Finds out who calls, and keeps that with the call; refuses whoever does not say all that is needed for it. */
export function knownCaller(authentication: Authentication): Interceptor {
  return async (call, next) => {
    const { context, method } = call;
    const { requestHeader } = context;
    const caller = await identifyCaller(authentication, (name) => requestHeader.get(name), method.name);
    keepCallContext(context, { ...callContextOf(context), caller });
    return await next(call);
  };
}
