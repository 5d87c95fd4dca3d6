import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceImplSpec, Transport } from "@connectrpc/connect";
import { type FastifyInstance, fastify } from "fastify";
import type { Logger } from "pino";
import type { ErrorSystems, Language } from "../src/errors/index.ts";
import type { Metrics } from "../src/metrics/index.ts";
import { requestIdOf, type Tracing } from "../src/tracing/index.ts";
import { coreOf } from "./exchange/core.ts";
import { FailureLog } from "./exchange/failure-log.ts";
import type { GatewayContext } from "./exchange/gateway-context.ts";
import { allowOrigins } from "./hooks/cors.ts";
import { hangUpOnStalled, limitInFlight } from "./hooks/limits.ts";
import { refuseTunnels } from "./hooks/refuse-tunnels.ts";
import { logRequests } from "./hooks/request-log.ts";
import { measureRequests } from "./hooks/request-metrics.ts";
import { traceRequests } from "./hooks/request-traces.ts";
import { arrivingOn } from "./hooks/requests-in-flight.ts";
import { requireHost } from "./hooks/require-host.ts";
import { readerOf, unknownReader } from "./outcome/failure-reader.ts";
import { answerUnreadRequest } from "./outcome/unread-request.ts";
import { allInteractions } from "./routes/interactions.ts";
import { withDollarSigns } from "./routes/path-pattern.ts";
import { registerRoutes } from "./routes/register.ts";
import { sendFailure } from "./routes/reply.ts";
import { onlyByTls, securityHeaders } from "./routes/security-headers.ts";
import { connectRoutes } from "./transport/connect/connect-routes.ts";

/** Where a gateway listens, and which core is behind it. */
export interface GatewayOptions {
  /** The address to listen on, such as 127.0.0.1 or ::. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** To the core. */
  readonly transport: Transport;
  /** The services that browsers reach by Connect and gRPC-Web. */
  readonly connectServices: readonly ServiceImplSpec[];
  /** Origin of links and Location; the Host of the request unless given. */
  readonly publicUrl?: string;
  readonly defaultLanguage: Language;
  readonly errorSystems: ErrorSystems;
  /** Largest body, in bytes; 1 MiB unless given. */
  readonly bodyLimit?: number;
  /** How long the core may take for one call, in milliseconds; 30 s unless given. */
  readonly callTimeoutMs?: number;
  /** Origins whose pages may use the gateway from a browser; `*` is any. None unless given. */
  readonly corsOrigins?: readonly string[];
  /** PEM; the gateway speaks HTTPS with it, and plain HTTP without. */
  readonly tls?: { readonly certificate: Buffer; readonly key: Buffer };
  /** How many requests are here at once; more are told to come back. 512 unless given. */
  readonly maxInFlight?: number;
  /** How many of them are worked on at once while the process has no time left; all unless given. */
  readonly maxAtOnce?: number;
  /** How long a request may take to arrive, in milliseconds; 30 s unless given. */
  readonly arrivalMs?: number;
  /** How long a client may take nothing of its answer, in milliseconds; 30 s unless given. */
  readonly stallMs?: number;
  /** What requests are measured by; they are not unless given. */
  readonly metrics?: Metrics;
  /** Which traces requests are told in; in none unless given. */
  readonly tracing?: Tracing;
  readonly log: Logger;
}

/** In milliseconds from the beginning of a stop. */
export interface StopTimes {
  /** So long connections that are open may bring one request more, whose answer ends them. */
  readonly lastRequestsMs: number;
  /** What still runs then is cut off. */
  readonly graceMs: number;
}

/** A gateway that listens. */
export interface Gateway {
  readonly port: number;
  /** Takes no more connections and lets requests that run end. */
  stop(times: StopTimes): Promise<void>;
}

/** A request that takes longer to arrive is given up. */
const ARRIVAL_MS = 30_000;
/** A client that takes nothing of its answer for so long is given up. */
const STALL_MS = 30_000;
const IN_FLIGHT = 512;
/** How often a gateway that stops looks for connections that have become idle. */
const IDLE_LOOK_MS = 50;

/** Serves FHIR over HTTP, and the services of the core to browsers. Rejects if it cannot listen. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const gateway: GatewayContext = {
    core: coreOf(options.transport),
    transport: options.transport,
    publicUrl: options.publicUrl,
    defaultLanguage: options.defaultLanguage,
    errorSystems: options.errorSystems,
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
    callTimeoutMs: options.callTimeoutMs ?? 30_000,
    log: options.log,
    failures: new FailureLog(options.log),
  };
  const server = createServer(gateway, options);
  server.register(connectRoutes, {
    services: options.connectServices,
    maxRequestBytes: gateway.bodyLimit,
    defaultLanguage: gateway.defaultLanguage,
    errorSystems: gateway.errorSystems,
    headers: { ...securityHeaders, ...(options.tls && onlyByTls) },
  });
  await server.listen({ host: options.host, port: options.port });
  const { port } = server.server.address() as AddressInfo;
  options.log.info({ host: options.host, port }, "gateway listens");
  return { port, stop: (times) => stop(server, times) };
}

function createServer(gateway: GatewayContext, options: GatewayOptions): FastifyInstance {
  const { tls, maxInFlight = IN_FLIGHT, maxAtOnce, arrivalMs = ARRIVAL_MS, stallMs = STALL_MS } = options;
  const http = {
    // Node would refuse without a word; requireHost says it.
    requireHostHeader: false,
    // Node would keep the first of several lines of a header that may stand once, and pass over the others.
    joinDuplicateHeaders: true,
    headersTimeout: arrivalMs,
    connectionsCheckingInterval: Math.ceil(arrivalMs / 6),
  };
  const server = fastify({
    ...(tls
      ? { https: { ...http, cert: tls.certificate, key: tls.key, handshakeTimeout: arrivalMs } }
      : { http }),
    logger: false,
    bodyLimit: gateway.bodyLimit,
    genReqId: requestId,
    requestTimeout: arrivalMs,
    // While it closes, requests that are already here are still answered.
    return503OnClosing: false,
    rewriteUrl: targetOf,
    routerOptions: {
      ignoreTrailingSlash: true,
      // An id of any length is the id of nobody, which is for the core to say.
      maxParamLength: 16_384,
      // Queries are read by the interactions, in order and with their repetitions.
      querystringParser: noQuery,
    },
    frameworkErrors: (error, request, reply) => sendFailure(request, reply, error, gateway),
    clientErrorHandler: (error, socket) => {
      const request = arrivingOn(socket);
      answerUnreadRequest(error, socket, request ? readerOf(request, gateway) : unknownReader(gateway));
    },
  });
  // Whoever expects something else than 100-continue is answered all the same.
  server.server.on("checkExpectation", (request, response) =>
    server.server.emit("request", request, response),
  );
  server.removeAllContentTypeParsers();
  logRequests(server, gateway.log);
  allowOrigins(server, options.corsOrigins ?? []);
  hangUpOnStalled(server.server, stallMs);
  refuseTunnels(server, gateway);
  requireHost(server, gateway);
  const inFlight = limitInFlight(server, { maxInFlight, maxAtOnce }, gateway);
  if (options.metrics) measureRequests(server, options.metrics, inFlight);
  if (options.tracing) traceRequests(server, options.tracing);
  registerRoutes(server, allInteractions(), gateway);
  return server;
}

/** The id that the caller gave the request, if it can be one, else a new one. */
function requestId({ headers }: IncomingMessage): string {
  return requestIdOf(headers["x-road-id"], headers["x-request-id"]);
}

/** The target of a request in absolute form, as a proxy may send it, without scheme and host (RFC 9112, 3.2.2). */
function targetOf({ url = "/" }: IncomingMessage): string {
  const target = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*(?=\/)/i, "");
  return target.includes("%24") ? target.replace(/^[^?]*/, withDollarSigns) : target;
}

const NO_QUERY: Record<string, never> = {};

function noQuery(): Record<string, never> {
  return NO_QUERY;
}

async function stop(app: FastifyInstance, { lastRequestsMs, graceMs }: StopTimes): Promise<void> {
  const { server } = app;
  const closeIdle = server.closeIdleConnections.bind(server);
  // Fastify and Node would cut them off at once, and a request that a client has just sent on one would be lost.
  server.closeIdleConnections = () => undefined;
  const closed = app.close();
  const within = (ms: number) => Promise.race([closed, sleep(ms, undefined, { ref: false })]);
  await within(Math.min(lastRequestsMs, graceMs));
  closeIdle();
  // One that was busy then is idle once its answer is sent.
  const closing = setInterval(closeIdle, IDLE_LOOK_MS);
  await within(Math.max(0, graceMs - lastRequestsMs));
  clearInterval(closing);
  server.closeAllConnections();
  await closed;
}
