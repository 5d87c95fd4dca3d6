import type { Logger } from "pino";
import type { ErrorSystems } from "../../errors/index.ts";
import { errors } from "./errors.ts";
import type { Interceptor } from "./interceptor.ts";
import { refuseUnknownVersion } from "./known-version.ts";
import { requestLog } from "./request-log.ts";

export { type InterceptOptions, intercept } from "./intercept.ts";
export type { Call, Interceptor, Next, Payload } from "./interceptor.ts";
export { knownAuthor } from "./known-author.ts";

/** The interceptors of every service, from the outside in. Those of caller, access and audit come after them. */
export function standardInterceptors(log: Logger, systems: ErrorSystems): Interceptor[] {
  return [requestLog(log), errors({ log, systems }), refuseUnknownVersion];
}
