import { type Authentication, askedBy, identifyCaller } from "../../access/index.ts";
import { callContextOf, keepCallContext } from "../call-context.ts";
import { type Call, type Interceptor, isStream } from "./interceptor.ts";

/** Finds out who calls, and keeps that with the call; refuses whoever does not say all that is needed for it. */
export function knownCaller(authentication: Authentication): Interceptor {
  return async (call, next) => {
    const { context } = call;
    const { requestHeader } = context;
    const read = (name: string) => requestHeader.get(name);
    const caller = await identifyCaller(authentication, read, () => interactionOf(call));
    keepCallContext(context, { ...callContextOf(context), caller });
    return await next(call);
  };
}

function interactionOf({ method, request }: Call): string {
  const [asked] = (isStream(request) ? undefined : askedBy(method, request)) ?? [];
  return asked?.interaction ?? method.name;
}
