import { constants, type ServerHttp2Stream } from "node:http2";
import type { Server } from "@grpc/grpc-js";
import { listeningServers } from "./listening-servers.ts";

/**
 * Ends the calls of clients that do not take their answer: no byte of it has moved for so long, in milliseconds. To be
 * called when the server listens. grpc-js has an option for connections that do not answer, none for calls that do not
 * read.
 */
export function hangUpOnStalled(server: Server, stallMs: number): void {
  for (const listening of listeningServers(server)) {
    listening.on("stream", (stream: ServerHttp2Stream) => {
      stream.setTimeout(stallMs, () => {
        // A stream that waits for us has nothing unsent.
        if (stream.writableLength > 0) stream.close(constants.NGHTTP2_CANCEL);
      });
    });
  }
}
