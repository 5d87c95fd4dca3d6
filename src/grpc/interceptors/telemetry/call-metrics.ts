import type { Metrics } from "../../../metrics/index.ts";
import type { TellEnd } from "./when-ended.ts";

/** Measures every call when it has ended, and counts those that were refused by their reasons. */
export function measureEnd({ calls, refusals }: Metrics): TellEnd {
  return ({ method }, ms, { status, reason }) => {
    calls.observe({ service: method.parent.typeName, method: method.name, status }, ms / 1000);
    if (reason !== undefined) refusals.inc({ reason });
  };
}
