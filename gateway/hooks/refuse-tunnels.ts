import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { GatewayContext } from "../exchange/gateway-context.ts";
import { readerOf } from "../outcome/failure-reader.ts";
import { answerTunnelRequest } from "../outcome/unread-request.ts";

/** Answers CONNECT, which Node gives to no handler and would hang up on without a word. */
export function refuseTunnels({ server }: FastifyInstance, gateway: GatewayContext): void {
  server.on("connect", (request: IncomingMessage, connection: Duplex) => {
    answerTunnelRequest(request.url ?? "", connection, readerOf(request, gateway));
  });
}
