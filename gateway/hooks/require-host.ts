import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { GatewayContext } from "../exchange/gateway-context.ts";
import { isHost } from "../exchange/host.ts";
import { malformedHeader } from "../outcome/http-faults.ts";
import { sendFailure } from "../routes/reply.ts";

/**
 * Refuses requests of HTTP/1.1 without a Host, with several, or with a malformed one (RFC 9112, 3.2): it says which
 * references are to the index. What follows on such a connection is not read.
 */
export function requireHost(server: FastifyInstance, gateway: GatewayContext): void {
  server.addHook("onRequest", (request, reply, proceed) => {
    const { raw } = request;
    if (raw.httpVersion !== "1.1" || hasOneHost(raw)) return proceed();
    sendFailure(request, reply, malformedHeader("host"), gateway, { connection: "close" });
  });
}

/** Of several Host lines Node keeps the first among the headers. */
function hasOneHost({ headers: { host }, rawHeaders }: IncomingMessage): boolean {
  if (host === undefined || !isHost(host)) return false;
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") lines += 1;
  }
  return lines === 1;
}
