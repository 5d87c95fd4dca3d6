import { type Authentication, type ConsumerReach, namedPatients } from "../../../access/index.ts";
import type { AuditTrail } from "../../../audit/index.ts";
import type { CheckedAuthors } from "../../../registers/index.ts";
import type { Interceptor } from "../interceptor.ts";
import { audited } from "./audited.ts";
import { knownAuthor } from "./known-author.ts";
import { knownCaller } from "./known-caller.ts";
import { limitInFlight, limitRate, limitStreams, limitUnknown } from "./limited.ts";
import { permitted } from "./permitted.ts";
import { refuseMalformed } from "./well-formed.ts";

/** What decides who is let through to the index. */
export interface Guarding {
  /** Calls that may run at once. */
  readonly maxInFlight: number;
  /** Undefined where it is switched off. */
  readonly trail: AuditTrail | undefined;
  readonly now: () => Date;
  readonly authentication: Authentication;
  /** Calls a second that one caller may make; 0 for any number, of streams too. */
  readonly callerRate: number;
  /** None where authors are not checked. */
  readonly authors: readonly CheckedAuthors[];
  readonly reach: ConsumerReach;
}

/** The interceptors of the core's services after the standard ones: what a request must have, audit, callers, authors and rights, from the outside in. */
export function guards({
  maxInFlight,
  trail,
  now,
  authentication,
  callerRate,
  authors,
  reach,
}: Guarding): Interceptor[] {
  return [
    refuseMalformed,
    limitInFlight(maxInFlight),
    // Round everything that may refuse a call for what it is, so that such a refusal leaves a trace too.
    ...(trail ? [auditing(trail, reach, now)] : []),
    knownCaller(authentication, callerRate > 0 ? limitUnknown(callerRate) : undefined),
    ...(callerRate > 0 ? [limitRate(callerRate), limitStreams(maxInFlight)] : []),
    ...authors.map(knownAuthor),
    permitted(reach),
  ];
}

function auditing(trail: AuditTrail, { patients }: ConsumerReach, now: () => Date): Interceptor {
  return audited({ trail, now, named: (...asked) => namedPatients(patients, ...asked) });
}

/** The guards of each part of a call that does several things: who calls was found out for the whole. */
export function guardsOfParts({ reach }: Pick<Guarding, "reach">): Interceptor[] {
  return [refuseMalformed, permitted(reach)];
}
