import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceImplSpec } from "@connectrpc/connect";
import { logVerbosity, Server, ServerCredentials, setLogVerbosity } from "@grpc/grpc-js";
import type { Logger } from "pino";
import { causesOf } from "../errors/index.ts";
import { CallsInFlight } from "./calls-in-flight.ts";
import { addHealth, type Health } from "./health.ts";
import { forgetFarDeadlines } from "./http2/far-deadlines.ts";
import { tellRefusedHandshakes } from "./http2/refused-handshakes.ts";
import { showRepeatedTokens } from "./http2/repeated-tokens.ts";
import { hangUpOnSlow } from "./http2/slow-requests.ts";
import { hangUpOnStalled } from "./http2/stalled-clients.ts";
import { addReflection } from "./reflection.ts";
import { addServiceImpl } from "./service-definition.ts";
import { Watchers } from "./watchers.ts";

/** What a gRPC server serves, and where. */
export interface GrpcServerOptions {
  /** The address to listen on, such as 127.0.0.1 or ::. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly services: readonly ServiceImplSpec[];
  readonly log: Logger;
  /** Without it the server speaks plain text. */
  readonly tls?: ServerTls;
  /** The largest request message that is accepted, where that is more than 4 MiB. */
  readonly maxRequestBytes?: number;
  /** Calls that a connection may have open at once, where that is more than 1000. */
  readonly maxCalls?: number;
  /** How long, in milliseconds, the request of a call may take to arrive; 30 seconds unless given. */
  readonly arrivalMs?: number;
  /** How long, in milliseconds, a client may take nothing of its answer; 30 seconds unless given. */
  readonly stallMs?: number;
}

/** Keys and certificates in PEM. With `clientCa` a client must show a certificate signed by it (mTLS). */
export interface ServerTls {
  readonly certificate: Buffer;
  readonly key: Buffer;
  readonly clientCa?: Buffer;
}

/** A server that listens. */
export interface GrpcServer {
  readonly port: number;
  /**
   * Turns health to NOT_SERVING, takes no more calls and lets those that run end;
   * what still runs after `graceMs` milliseconds is cut off. Resolves when the last call has been answered or cut off.
   */
  stop(graceMs: number): Promise<void>;
}

const ARRIVAL_MS = 30_000;
const STALL_MS = 30_000;

// Time for the last answers to leave when only watchers (of health, of reflection) keep connections open.
const flushMs = 100;

/** Serves the services over gRPC, with the standard health service and reflection. Rejects if it cannot listen. */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  // grpc-js would print the values of metadata that it cannot read.
  setLogVerbosity(logVerbosity.NONE);
  const server = new Server(channelOptions(options));
  const inFlight = new CallsInFlight((error) =>
    options.log.error({ causes: causesOf(error) }, "an answer could not be sent"),
  );
  for (const spec of options.services) addServiceImpl(server, spec, inFlight);
  const descriptors = options.services.map((spec) => spec.service);
  const watchers = new Watchers();
  const health = addHealth(watchers.on(server), descriptors);
  addReflection(watchers.on(server), descriptors);
  const port = await listen(server, options);
  hangUpOnSlow(server, options.services, options.arrivalMs ?? ARRIVAL_MS);
  hangUpOnStalled(server, options.stallMs ?? STALL_MS);
  tellRefusedHandshakes(server, options.log);
  showRepeatedTokens(server);
  forgetFarDeadlines(server);
  options.log.info({ host: options.host, port }, "gRPC server listens");
  const running = { server, address: addressOf(options.host, port), health, watchers, inFlight };
  return { port, stop: (graceMs) => stop(running, graceMs) };
}

interface Running {
  readonly server: Server;
  readonly address: string;
  readonly health: Health;
  readonly watchers: Watchers;
  readonly inFlight: CallsInFlight;
}

function addressOf(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** What gRPC takes everywhere unless told otherwise. */
const USUAL_REQUEST_BYTES = 4 * 1024 * 1024;

/** Each takes memory before anything is known of its caller. */
const USUAL_CALLS = 1_000;

function channelOptions({ maxRequestBytes = 0, maxCalls = 0 }: GrpcServerOptions) {
  return {
    "grpc.enable_channelz": 0,
    "grpc.max_receive_message_length": Math.max(maxRequestBytes, USUAL_REQUEST_BYTES),
    // Pages end early, but a resource may be as large as a request, and a transaction is answered at once.
    "grpc.max_send_message_length": 64 * 1024 * 1024,
    "grpc.max_concurrent_streams": Math.max(maxCalls, USUAL_CALLS),
    "grpc.keepalive_time_ms": 60_000,
    "grpc.keepalive_timeout_ms": 20_000,
  };
}

function listen(server: Server, { host, port, tls }: GrpcServerOptions): Promise<number> {
  const address = addressOf(host, port);
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials(tls), (cause, bound) => {
      if (cause) reject(new Error(`gRPC cannot listen on ${address}.`, { cause }));
      else resolve(bound);
    });
  });
}

function credentials(tls: ServerTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const pair = { cert_chain: tls.certificate, private_key: tls.key };
  return ServerCredentials.createSsl(tls.clientCa ?? null, [pair], tls.clientCa !== undefined);
}

/**
 * tryShutdown alone waits for every client to hang up, for ever if one does not; forceShutdown finds no connections
 * without channelz. So the port is drained, which ends its connections at the end of the grace, and whoever only
 * watches is told so and is not waited for.
 */
async function stop(
  { server, address, health, watchers, inFlight }: Running,
  graceMs: number,
): Promise<void> {
  health.stopServing();
  watchers.end();
  server.drain(address, graceMs);
  const closed = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  const answered = inFlight.idle().then(() => sleep(flushMs, undefined, { ref: false }));
  await Promise.race([closed, answered, sleep(graceMs, undefined, { ref: false })]);
}
