import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";

/**
 * Writes a line per request when it was answered: method, pattern of the route, status, time, request id; never the
 * URL, whose ids and queries name people. Refused requests at info, others at debug.
 */
export function logRequests(server: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled("info")) return;
  server.addHook("onResponse", (request, reply, done) => {
    const level = reply.statusCode < 400 ? "debug" : "info";
    if (log.isLevelEnabled(level)) {
      const line = {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? "none",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      };
      log[level](line, "request answered");
    }
    done();
  });
}
