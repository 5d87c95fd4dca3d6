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
    const { httpVersion, headers } = request.raw;
    // Several are joined (joinDuplicateHeaders), and so no host.
    if (httpVersion !== "1.1" || isHost(headers.host ?? "")) return proceed();
    sendFailure(request, reply, malformedHeader("host"), gateway, { connection: "close" });
  });
}
