import type { FastifyInstance } from "fastify";
import type { Span, Tracing } from "../../src/tracing/index.ts";
import { healthPaths } from "../routes/health.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The request in the trace that it is part of; undefined when traces are not told. */
    span?: Span | undefined;
  }
}

/**
 * Tells of every request that is worked on, by the pattern of its route; never by its URL, which names people. Whoever is
 * asked on its behalf finds its span in its headers, where that of the caller was.
 */
export function traceRequests(server: FastifyInstance, tracing: Tracing): void {
  server.decorateRequest("span", undefined);
  server.addHook("onRequest", (request, reply, done) => {
    const { method, protocol, raw, routeOptions } = request;
    const { url: route } = routeOptions;
    // Probes of health come all the time, and would drown the others.
    if (route !== undefined && Object.hasOwn(healthPaths, route)) return done();
    const span = tracing.begin(
      route === undefined ? method : `${method} ${route}`,
      "server",
      {
        "http.request.method": method,
        "http.route": route,
        "url.scheme": protocol,
        "mpi.request_id": request.id,
      },
      (name) => raw.headers[name] as string | undefined,
    );
    raw.headers["traceparent"] = span.traceParent;
    if (span.traceState === undefined) delete raw.headers["tracestate"];
    request.span = span;
    reply.raw.once("close", () => {
      const status = reply.raw.writableFinished ? reply.statusCode : undefined;
      span.set({ "http.response.status_code": status });
      span.end(faultOf(status));
    });
    done();
  });
}

/** The type of error that the span ends with: a status from 500 up, or that nobody was left to take the answer; refusals of the caller are none. */
function faultOf(status: number | undefined): string | undefined {
  if (status === undefined) return "unanswered";
  return status >= 500 ? String(status) : undefined;
}
