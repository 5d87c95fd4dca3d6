import { type CurrentCall, underCall, underNoSignal } from "../../../call/current-call.ts";
import type { CheckedAuthors } from "../../../registers/index.ts";
import { callContextOf } from "../../calls/call-context.ts";
import { currentCallOf } from "../current-call.ts";
import type { Interceptor } from "../interceptor.ts";

/** Refuses calls whose author the population register does not know; one who is remembered costs nothing. */
export function knownAuthor(authors: CheckedAuthors): Interceptor {
  return (call, next) => {
    const { caller } = callContextOf(call.context);
    if (!caller) throw new TypeError("The author of a call is checked before its caller is known.");
    const { author } = caller;
    const callOfAuthor = () => withKeptAnswers(currentCallOf(call.context));
    const inBackground = (check: () => void) => underCall(callOfAuthor(), () => underNoSignal(check));
    if (authors.isKnown(author, inBackground)) return next(call);
    const isChecked = underCall(callOfAuthor(), () => authors.check(author), call.context.signal);
    return isChecked.then(() => next(call));
  };
}

/** The caller's no-cache is meant for what the call asks, not for whether its author exists. */
function withKeptAnswers(call: CurrentCall): CurrentCall {
  const headers = new Headers(call.headers);
  headers.delete("cache-control");
  return { ...call, headers };
}
