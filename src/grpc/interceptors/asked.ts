import { create } from "@bufbuild/protobuf";
import { askedBy } from "../../access/index.ts";
import { type Call, isStream } from "./interceptor.ts";

/** What a call asks for; of a stream of requests, which is not there yet, what its method asks for whatever they say. */
export function askedByCall({ method, request }: Call): ReturnType<typeof askedBy> {
  return askedBy(method, isStream(request) ? create(method.input) : request);
}
