import { Metadata } from "@grpc/grpc-js";
import { CallHeaders } from "../../call/call-headers.ts";

/** Metadata as headers: binary values as base64, repeated values joined as HTTP joins them. */
export function headersFromMetadata(metadata: Metadata): Headers {
  const headers = new CallHeaders();
  for (const [name, values] of Object.entries(metadata.toHttp2Headers())) {
    for (const value of Array.isArray(values) ? values : [values]) headers.append(name, String(value));
  }
  return headers;
}

/** Headers as metadata. A value that gRPC cannot carry (not printable ASCII) is left out. */
export function metadataFromHeaders(headers: Headers): Metadata {
  return Metadata.fromHttp2Headers(Object.fromEntries(headers));
}
