import type { Logger } from "pino";
import type { ErrorSystems } from "../../errors/index.ts";
import type { Metrics } from "../../metrics/index.ts";
import type { Tracing } from "../../tracing/index.ts";
import { refuseUndecodable } from "./decoded.ts";
import { type ErrorsOptions, errors } from "./errors.ts";
import type { Interceptor } from "./interceptor.ts";
import { refuseUnknownVersion } from "./known-version.ts";
import { logEnd } from "./telemetry/call-log.ts";
import { measureEnd } from "./telemetry/call-metrics.ts";
import { traced, traceEnd } from "./telemetry/call-traces.ts";
import { FailureLog } from "./telemetry/failure-log.ts";
import { whenEnded } from "./telemetry/when-ended.ts";

export { audited } from "./guards/audited.ts";
export { guards, guardsOfParts } from "./guards/guards.ts";
export { limitInFlight } from "./guards/limited.ts";
export { permitted } from "./guards/permitted.ts";
export { type InterceptOptions, intercept } from "./intercept.ts";
export type { Call, Interceptor, Next, Payload } from "./interceptor.ts";
export { implemented, type PartOfCall, partsOfCalls } from "./parts.ts";
export { FailureLog } from "./telemetry/failure-log.ts";

/** What a process gives its interceptors; tests may leave it out. */
interface Surroundings {
  readonly isOutOfReach?: ErrorsOptions["isOutOfReach"];
  readonly failures?: FailureLog;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
}

/** The interceptors of every service, from the outside in. `guards` come after them. */
export function standardInterceptors(
  log: Logger,
  systems: ErrorSystems,
  { isOutOfReach = () => false, failures = new FailureLog(log), metrics, tracing }: Surroundings = {},
): Interceptor[] {
  const told = [logEnd(log), ...(metrics ? [measureEnd(metrics)] : []), ...(tracing ? [traceEnd] : [])];
  return [
    ...(tracing ? [traced(tracing)] : []),
    whenEnded(told),
    errors({ failures, systems, isOutOfReach }),
    refuseUnknownVersion,
    refuseUndecodable,
  ];
}
