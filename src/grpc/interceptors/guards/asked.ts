import { create } from "@bufbuild/protobuf";
import { askedBy } from "../../../access/index.ts";
import { type Call, isStream } from "../interceptor.ts";

/** What a call asks for. The requests of a stream have not come yet: for them it is what the method asks for in any case. */
export function askedByCall({ method, request }: Call): ReturnType<typeof askedBy> {
  return askedBy(method, isStream(request) ? create(method.input) : request);
}
