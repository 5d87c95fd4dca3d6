import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { traceOf } from "../../src/tracing/index.ts";

const TOO_MANY = 429;
const LINE_MS = 1000;

/**
 * Writes a line per request when it was answered: method, pattern of the route, status, time, request id; never the
 * URL, whose ids and queries name people. Refused requests at info, others at debug. Of those who are told to come back
 * (429) there may be more than can be written: they are counted, a line a second.
 */
export function logRequests(server: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled("info")) return;
  const turnedAway = countedLines(server, log);
  server.addHook("onResponse", (request, reply, done) => {
    if (reply.statusCode === TOO_MANY) {
      turnedAway();
      done();
      return;
    }
    const level = reply.statusCode < 400 ? "debug" : "info";
    if (log.isLevelEnabled(level)) {
      const line = {
        requestId: request.id,
        ...traceOf(request.span),
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

/** A function that counts; a second after its first call, and when the server closes, the count is written. */
function countedLines(server: FastifyInstance, log: Logger): () => void {
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (count > 0) log.info({ status: TOO_MANY, requests: count }, "requests turned away");
    count = 0;
  };
  server.addHook("onClose", (_server, done) => {
    write();
    done();
  });
  return () => {
    count += 1;
    timer ??= setTimeout(write, LINE_MS).unref();
  };
}
