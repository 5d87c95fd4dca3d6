import { catalogueVersions, MpiError } from "../../errors/index.ts";
import { knownVersion } from "../calls/call-context.ts";
import type { Interceptor } from "./interceptor.ts";

/** Refuses a call that asks by x-mpi-version for a version of the contract that does not exist. */
export const refuseUnknownVersion: Interceptor = (call, next) => {
  const version = call.context.requestHeader.get("x-mpi-version");
  if (version === null || knownVersion(version)) return next(call);
  throw new MpiError("VERSION_UNKNOWN", { version, allowed: catalogueVersions.join(", ") });
};
