import type { Metrics } from "../../metrics/index.ts";
import { statusOf } from "./call-status.ts";
import type { TellEnd } from "./when-ended.ts";

/** Measures every call when it has ended, and counts those that were refused by their reasons. */
export function measureEnd({ calls, refusals }: Metrics): TellEnd {
  return ({ method }, ms, failure) => {
    const { status, reason } = statusOf(failure);
    calls.observe({ service: method.parent.typeName, method: method.name, status }, ms / 1000);
    if (reason !== undefined) refusals.inc({ reason });
  };
}
