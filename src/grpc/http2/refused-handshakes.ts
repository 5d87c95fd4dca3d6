import type { TLSSocket } from "node:tls";
import type { Server } from "@grpc/grpc-js";
import type { Logger } from "pino";
import { RepeatedReasons } from "../../errors/index.ts";
import { listeningServers } from "./listening-servers.ts";

const LINE_MS = 60_000;

/**
 * Logs why clients got no connection by TLS, as they themselves are not told: for each reason one line a minute, with
 * how many it stands for. To be called when the server listens; grpc-js says nothing of it.
 */
export function tellRefusedHandshakes(server: Server, log: Pick<Logger, "warn">): void {
  const refusals = new RepeatedReasons(LINE_MS, (reason, handshakes) => {
    log.warn({ reason, handshakes }, "more TLS handshakes were refused");
  });
  for (const listening of listeningServers(server)) {
    listening.on("tlsClientError", (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      const reason = reasonOf(error, socket);
      if (reason === undefined || refusals.isCounted(reason)) return;
      log.warn({ reason }, "a TLS handshake was refused");
    });
  }
}

/** Undefined of who hung up without a word, as those do who only look whether the port is open. */
function reasonOf(
  { code = "" }: NodeJS.ErrnoException,
  { authorizationError }: TLSSocket,
): string | undefined {
  if (authorizationError) return String(authorizationError);
  return code.startsWith("ERR_SSL_") ? code : undefined;
}
