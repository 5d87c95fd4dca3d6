import type { Http2Server } from "node:http2";
import type { Server } from "@grpc/grpc-js";

/** The HTTP/2 servers that a gRPC server listens by, for what grpc-js has no option for. */
export function listeningServers(server: Server): Iterable<Http2Server> {
  return (
    server as unknown as { readonly http2Servers: ReadonlyMap<Http2Server, unknown> }
  ).http2Servers.keys();
}
