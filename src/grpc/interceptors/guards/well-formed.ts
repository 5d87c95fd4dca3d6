import { refuseFor } from "../../../errors/index.ts";
import { type Interceptor, isStream } from "../interceptor.ts";
import { requestFaults } from "./request-faults.ts";

/** Refuses a call whose request has ids that name nothing, or Timestamps that are none; no stream has such fields. */
export const refuseMalformed: Interceptor = (call, next) => {
  if (!isStream(call.request)) refuseFor(requestFaults(call.method.input, call.request));
  return next(call);
};
