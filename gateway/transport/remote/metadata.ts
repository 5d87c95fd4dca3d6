import { Metadata } from "@grpc/grpc-js";

/** Headers as metadata; a value that gRPC cannot carry (not printable ASCII) is left out. */
export function metadataFromHeaders(headers: Headers): Metadata {
  return Metadata.fromHttp2Headers(Object.fromEntries(headers));
}

/** Metadata as Headers: binary values as base64. */
export function headersFromMetadata(metadata: Metadata): Headers {
  const entries = Object.entries(metadata.toHttp2Headers());
  return new Headers(
    entries.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)] as const)),
  );
}
