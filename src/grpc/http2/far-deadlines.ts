import type { IncomingHttpHeaders } from "node:http2";
import type { Server } from "@grpc/grpc-js";
import { forgetFarDeadline } from "../../time/far-deadlines.ts";
import { listeningServers } from "./listening-servers.ts";

/** Lets calls whose deadline is very far go on without one: grpc-js would end them at once. To be called when the server listens. */
export function forgetFarDeadlines(server: Server): void {
  for (const listening of listeningServers(server)) {
    // Before grpc-js reads the headers.
    listening.prependListener("stream", (_stream: unknown, headers: IncomingHttpHeaders) =>
      forgetFarDeadline(headers),
    );
  }
}
