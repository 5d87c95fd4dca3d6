import type { FastifyInstance } from "fastify";
import type { GatewaySetting } from "../exchange/setting.ts";
import { malformedHeader } from "../outcome/http-faults.ts";
import { sendFailure } from "./reply.ts";

/** Refuses requests of HTTP/1.1 without a Host (RFC 9112, 3.2). What follows on such a connection is not read. */
export function requireHost(server: FastifyInstance, setting: GatewaySetting): void {
  server.addHook("onRequest", (request, reply, proceed) => {
    const { headers, httpVersion } = request.raw;
    if (headers.host !== undefined || httpVersion !== "1.1") return proceed();
    sendFailure(request, reply, malformedHeader("host"), setting, { connection: "close" });
  });
}
