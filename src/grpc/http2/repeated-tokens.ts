import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { Server } from "@grpc/grpc-js";
import { listeningServers } from "./listening-servers.ts";

const TOKEN = "authorization";

/**
 * Shows a call all of its tokens, joined as repeated headers are: Node would show the first and pass over the others.
 * To be called when the server listens.
 */
export function showRepeatedTokens(server: Server): void {
  for (const listening of listeningServers(server)) {
    // Before grpc-js reads the headers.
    listening.prependListener("stream", joinTokens);
  }
}

function joinTokens(
  _stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  _flags: number,
  rawHeaders: readonly string[],
): void {
  const first = rawHeaders.indexOf(TOKEN);
  if (first < 0 || !rawHeaders.includes(TOKEN, first + 2)) return;
  const tokens = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1] === TOKEN);
  headers[TOKEN] = tokens.join(", ");
}
