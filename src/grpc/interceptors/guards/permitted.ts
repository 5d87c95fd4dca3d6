import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import {
  type ConsumerReach,
  type IsLegalRepresentative,
  isConsumer,
  refuseOutOfReach,
  refuseUngranted,
} from "../../../access/index.ts";
import { underCall } from "../../../call/current-call.ts";
import { MpiError } from "../../../errors/index.ts";
import { callContextOf } from "../../calls/call-context.ts";
import { currentCallOf } from "../current-call.ts";
import type { Interceptor } from "../interceptor.ts";
import { askedByCall } from "./asked.ts";

const representationKey = createContextKey<IsLegalRepresentative | undefined>(undefined, {
  description: "whom the caller represents",
});

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
      () => refuseOutOfReach(reachOfCall(reach, context), caller, asked),
      context.signal,
    );
    return isWithinReach.then(() => next(call));
  };
}

/**
 * The reach in a call, whose parts share what the register said of the caller: it is asked before a transaction begins,
 * and not again for each entry while patients are locked.
 */
function reachOfCall(reach: ConsumerReach, { values }: HandlerContext): ConsumerReach {
  const isLegalRepresentative = values.get(representationKey) ?? askedOnce(reach.isLegalRepresentative);
  values.set(representationKey, isLegalRepresentative);
  return { ...reach, isLegalRepresentative };
}

/** Of one caller alone, who represents one person at most. */
function askedOnce(isLegalRepresentative: IsLegalRepresentative): IsLegalRepresentative {
  let answer: Promise<boolean> | undefined;
  return (...asked) => (answer ??= isLegalRepresentative(...asked));
}
