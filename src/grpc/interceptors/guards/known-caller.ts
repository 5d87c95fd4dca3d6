import { type Authentication, identifyCaller, needsReason } from "../../../access/index.ts";
import { type Caller, isUnknown } from "../../../call/caller.ts";
import { callContextOf, keepCallContext } from "../../calls/call-context.ts";
import type { Call, Interceptor } from "../interceptor.ts";
import { askedByCall } from "./asked.ts";

/**
 * Finds out who calls, and keeps that with the call; refuses whoever does not say all that is needed for it.
 * `turnAway` may refuse a caller of whom nothing is known for another reason: too many such calls.
 */
export function knownCaller(
  authentication: Authentication,
  turnAway: () => Promise<void> = async () => undefined,
): Interceptor {
  return async (call, next) => {
    const { context } = call;
    try {
      const caller = await callerOf(call, authentication);
      keepCallContext(context, { ...callContextOf(context), caller });
    } catch (error) {
      if (isUnknown(callContextOf(context).known)) await turnAway();
      throw error;
    }
    return await next(call);
  };
}

function callerOf(call: Call, authentication: Authentication): Promise<Caller> {
  const { method, context } = call;
  const { requestHeader } = context;
  return identifyCaller(
    authentication,
    (name) => requestHeader.get(name),
    { interaction: () => interactionOf(call), needsReason: needsReason(method) },
    (known) => keepCallContext(context, { ...callContextOf(context), known }),
  );
}

function interactionOf(call: Call): string {
  const [asked] = askedByCall(call) ?? [];
  return asked?.interaction ?? call.method.name;
}
