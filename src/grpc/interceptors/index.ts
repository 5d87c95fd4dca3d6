import type { Logger } from "pino";
import type { ErrorSystems } from "../../errors/index.ts";
import { type ErrorsOptions, errors } from "./errors.ts";
import type { Interceptor } from "./interceptor.ts";
import { refuseUnknownVersion } from "./known-version.ts";
import { requestLog } from "./request-log.ts";

export { audited } from "./audited.ts";
export { guards, guardsOfParts } from "./guards.ts";
export { type InterceptOptions, intercept } from "./intercept.ts";
export type { Call, Interceptor, Next, Payload } from "./interceptor.ts";
export { limitInFlight } from "./limited.ts";
export { implemented, type PartOfCall, partsOfCalls } from "./parts.ts";
export { permitted } from "./permitted.ts";

/** The interceptors of every service, from the outside in. `guards` come after them. */
export function standardInterceptors(
  log: Logger,
  systems: ErrorSystems,
  isOutOfReach: ErrorsOptions["isOutOfReach"] = () => false,
): Interceptor[] {
  return [requestLog(log), errors({ log, systems, isOutOfReach }), refuseUnknownVersion];
}
