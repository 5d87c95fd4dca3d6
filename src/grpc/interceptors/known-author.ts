import { underSignal } from "../../call/cancellation.ts";
import { underCall } from "../../call/current-call.ts";
import { type AuthorCheck, checkAuthor } from "../../registers/index.ts";
import { currentCallOf } from "./current-call.ts";
import type { Interceptor } from "./interceptor.ts";

/** Checks the author of each call in the population register: x-author-id, else the person of x-road-userid. */
export function knownAuthor(check: AuthorCheck): Interceptor {
  return async (call, next) => {
    const { requestHeader, signal } = call.context;
    const author = requestHeader.get("x-author-id") || requestHeader.get("x-road-userid");
    // That it is missing is another fault, of those who say which headers a call needs.
    if (author) {
      const personalCode = author.replace(/^EE/, "");
      await underCall(currentCallOf(call.context), () =>
        underSignal(signal, () => checkAuthor(check, personalCode)),
      );
    }
    return await next(call);
  };
}
