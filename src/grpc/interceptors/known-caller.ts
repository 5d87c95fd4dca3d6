import { type Authentication, identifyCaller } from "../../access/index.ts";
import { callContextOf, keepCallContext } from "../call-context.ts";
import { askedByCall } from "./asked.ts";
import type { Call, Interceptor } from "./interceptor.ts";

/** Finds out who calls, and keeps that with the call; refuses whoever does not say all that is needed for it. */
export function knownCaller(authentication: Authentication): Interceptor {
  return async (call, next) => {
    const { context } = call;
    const { requestHeader } = context;
    const read = (name: string) => requestHeader.get(name);
    const caller = await identifyCaller(
      authentication,
      read,
      () => interactionOf(call),
      (known) => keepCallContext(context, { ...callContextOf(context), known }),
    );
    keepCallContext(context, { ...callContextOf(context), caller });
    return await next(call);
  };
}

function interactionOf(call: Call): string {
  const [asked] = askedByCall(call) ?? [];
  return asked?.interaction ?? call.method.name;
}
