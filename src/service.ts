import type { ServiceImplSpec } from "@connectrpc/connect";
import type { Logger } from "pino";
import { type Gateway, startGateway } from "../gateway/server.ts";
import { createInProcessTransport } from "../gateway/transport/in-process/in-process.ts";
import { refuseUnlistedMethods } from "./access/index.ts";
import { auditTrailOf } from "./composition/auditing.ts";
import { missingCallerSettings } from "./composition/authentication.ts";
import { startJobs } from "./composition/background-jobs.ts";
import { startPublishing } from "./composition/background-work.ts";
import { watchClock } from "./composition/clock-watch.ts";
import { coreChain } from "./composition/core-chain.ts";
import { coreParts } from "./composition/core-parts.ts";
import { coreServices } from "./composition/core-services.ts";
import { observeDatabase, startMeasuring } from "./composition/measuring.ts";
import { ANYBODY_IS_ANSWERED, connectRegisters, localAdapters } from "./composition/registers.ts";
import { startTracing } from "./composition/tracing.ts";
import { startWorkers } from "./composition/workers.ts";
import type { Settings } from "./config.ts";
import { startGrpcServer } from "./grpc/server.ts";
import { type Stops, stoppable } from "./lifecycle/stoppable.ts";
import { type Metrics, watchCertificates } from "./metrics/index.ts";
import { refuseSettings } from "./settings/read-settings.ts";
import { certificateTimes, httpTls, missingTlsSettings, serverTls } from "./settings/tls-settings.ts";
import { askDatabase, openPatientLoader, openStorage, type Storage } from "./storage/index.ts";
import type { Tracing } from "./tracing/index.ts";

/** Loads write through connections of their own, so that requests never wait for them. */
const LOADING_CONNECTIONS = 2;

/** More at once for each connection to the database would wait for one, half done. */
const REQUESTS_OF_CONNECTION = 4;

/** What is told to whoever waits for the start. */
export type Progress = (step: string) => void;

export interface ServiceOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly progress: Progress;
  /** Whether the gateway runs in this process too. */
  readonly withGateway: boolean;
  /** Told when the embedded database ends without having been stopped: the service is of no use then. */
  readonly onDatabaseEnd?: () => void;
}

export interface Service {
  readonly httpPort: number | undefined;
  readonly grpcPort: number;
  /** Where the sandbox is, when this process runs it. */
  readonly sandboxUrl: string | undefined;
  /** Takes no more requests, lets those that run end, then closes the database. */
  stop(): Promise<void>;
}

/** Puts the service together and starts it; what was started before a failure is stopped again. */
export function startService(options: ServiceOptions): Promise<Service> {
  return stoppable((stops) => start(options, stops));
}

/** The service in several processes (`workers`), each of which runs this program again; this one runs none of it itself. */
export function startWorkerService(options: ServiceOptions): Promise<Service> {
  return stoppable((stops) => startWorkers(options, stops));
}

/** The adapters of the registers alone, for cores that run elsewhere. */
export function startRegisters(
  options: Omit<ServiceOptions, "withGateway">,
): Promise<Pick<Service, "grpcPort" | "sandboxUrl" | "stop">> {
  return stoppable(async (stops) => {
    const { settings, log } = options;
    refuseSettings(missingTlsSettings(settings));
    if (!settings.grpcAuthority) log.warn(ANYBODY_IS_ANSWERED);
    const { storage, ...telemetry } = await openProcess(options, "patient-index-registers", stops);
    const { services, sandbox } = await localAdapters({ ...options, ...telemetry }, storage, stops);
    const { grpcHost: host, registersPort: port } = settings;
    const grpc = await startGrpcServer({ host, port, services, log, ...withTls(serverTls(settings)) });
    stops.push(() => grpc.stop(settings.shutdownGrace));
    return { grpcPort: grpc.port, sandboxUrl: sandbox?.url };
  });
}

async function start(options: ServiceOptions, stops: Stops): Promise<Omit<Service, "stop">> {
  const { settings, log } = options;
  refuseSettings([...missingCallerSettings(settings), ...missingTlsSettings(settings)]);
  const name = options.withGateway ? "patient-index" : "patient-index-core";
  const { storage, ...telemetry } = await openProcess(options, name, stops);
  const { url, database, keys } = storage;
  stops.push(await watchClock(() => askDatabase(database), log));
  const trail = await auditTrailOf(settings, database, keys, log);
  stops.push(startPublishing(database, log));
  const { registers, sandbox } = await connectRegisters({ ...options, ...telemetry }, storage, stops);
  const parts = coreParts({ settings, log, storage, registers, ...telemetry });
  const { jobs, stop: stopJobs } = await startJobs(parts);
  stops.push(stopJobs);
  const { preparedStatements } = settings;
  const loader = openPatientLoader({
    url,
    database,
    keys,
    connections: LOADING_CONNECTIONS,
    preparedStatements,
  });
  stops.push(() => loader.close());
  const chain = coreChain(parts, { sandbox, trail });
  const stopping = new AbortController();
  const services = coreServices(parts, { chain, loader, jobs, stopping: stopping.signal });
  refuseUnlistedMethods(services.map(({ service }) => service));
  const ports = await serve(options, services, telemetry, stopping, stops);
  return { ...ports, sandboxUrl: sandbox?.url };
}

/** Metrics and tracing of a process, where the settings ask for them. */
interface Telemetry {
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
}

/** What every process of the service begins with: what it tells of itself, then the database. */
async function openProcess(
  options: Omit<ServiceOptions, "withGateway">,
  name: string,
  stops: Stops,
): Promise<Telemetry & { readonly storage: Storage }> {
  const { settings, log, progress, onDatabaseEnd } = options;
  const tracing = await startTracing(options, name, stops);
  const metrics = await startMeasuring(options, stops);
  stops.push(watchCertificates(certificateTimes(settings), { log, metrics }));
  const storage = await openStorage(settings, log, progress, onDatabaseEnd);
  stops.push(storage.close);
  if (metrics) observeDatabase(metrics, storage);
  return { storage, metrics, tracing };
}

/** Serves gRPC, and HTTP where the gateway runs in this process. They stop at the same time, with what is `stopping`. */
async function serve(
  options: ServiceOptions,
  services: ServiceImplSpec[],
  telemetry: Telemetry,
  stopping: AbortController,
  stops: Stops,
): Promise<Pick<Service, "grpcPort" | "httpPort">> {
  const { settings, log, progress, withGateway } = options;
  const { grpcHost: host, grpcPort: port, bodyLimit: maxRequestBytes } = settings;
  const tls = withTls(serverTls(settings));
  // So many that a gateway which sends too much on one connection is told so.
  const maxCalls = 2 * settings.maxInFlight;
  const grpc = await startGrpcServer({ host, port, services, log, maxRequestBytes, maxCalls, ...tls });
  const { shutdownGrace: graceMs, shutdownLastRequests: lastRequestsMs } = settings;
  const servers = [() => grpc.stop(graceMs)];
  stops.push(async () => {
    // Those who watch a job or load patients would keep the servers from stopping.
    stopping.abort();
    await Promise.all(servers.map((stop) => stop()));
  });
  progress(`gRPC listens on ${host}:${grpc.port}`);
  if (!withGateway) return { grpcPort: grpc.port, httpPort: undefined };
  const gateway = await startHttp(options, services, telemetry);
  servers.push(() => gateway.stop({ graceMs, lastRequestsMs }));
  return { grpcPort: grpc.port, httpPort: gateway.port };
}

/** The gateway in the core's process. */
function startHttp(
  { settings, log }: ServiceOptions,
  services: ServiceImplSpec[],
  { metrics, tracing }: Telemetry,
): Promise<Gateway> {
  return startGateway({
    host: settings.httpHost,
    port: settings.httpPort,
    transport: createInProcessTransport(services),
    connectServices: services,
    ...(settings.publicUrl && { publicUrl: settings.publicUrl }),
    defaultLanguage: settings.defaultLanguage,
    errorSystems: settings.errorSystems,
    bodyLimit: settings.bodyLimit,
    corsOrigins: settings.corsOrigins,
    maxInFlight: settings.maxInFlight,
    maxAtOnce: REQUESTS_OF_CONNECTION * settings.databasePool,
    ...withTls(httpTls(settings)),
    ...(metrics && { metrics }),
    ...(tracing && { tracing }),
    log,
  });
}

function withTls<Tls>(tls: Tls | undefined) {
  return tls && { tls };
}
