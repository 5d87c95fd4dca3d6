import { type ConsumerReach, isConsumer, refuseOutOfReach, refuseUngranted } from "../../../access/index.ts";
import { underCall } from "../../../call/current-call.ts";
import { MpiError } from "../../../errors/index.ts";
import { callContextOf } from "../../calls/call-context.ts";
import { currentCallOf } from "../current-call.ts";
import type { Interceptor } from "../interceptor.ts";
import { askedByCall } from "./asked.ts";

/**
 * Holds each call to the permission matrix (MPI-403), and consumers to their own records (MPI-052). It stands after
 * the interceptor that makes out the caller; whoever calls as nobody is refused, and so is a method that no entry of
 * the matrix speaks of. Only consumers cost a query.
 */
export function permitted(reach: ConsumerReach): Interceptor {
  return (call, next) => {
    const { method, context } = call;
    const { caller } = callContextOf(context);
    const asked = askedByCall(call);
    if (!caller || !asked) throw new MpiError("INTERACTION_NOT_ALLOWED", { interaction: method.name });
    refuseUngranted(caller, asked);
    if (!isConsumer(caller)) return next(call);
    const isWithinReach = underCall(
      currentCallOf(context),
      () => refuseOutOfReach(reach, caller, asked),
      context.signal,
    );
    return isWithinReach.then(() => next(call));
  };
}
