import { Metadata } from "@grpc/grpc-js";

/** Metadata as Headers: binary values as base64, repeated values joined as HTTP joins them. */
export function headersFromMetadata(metadata: Metadata): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(metadata.toHttp2Headers())) {
    for (const one of [value].flat()) headers.append(name, String(one));
  }
  return headers;
}

/** Headers as metadata. A value that gRPC cannot carry (not printable ASCII) is left out. */
export function metadataFromHeaders(headers: Headers): Metadata {
  return Metadata.fromHttp2Headers(Object.fromEntries(headers));
}
