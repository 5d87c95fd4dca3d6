import type { ServiceImplSpec } from "@connectrpc/connect";
import type { Logger } from "pino";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { startGateway } from "../gateway/server.ts";
import { createInProcessTransport } from "../gateway/transport/in-process.ts";
import type { Settings } from "./config.ts";
import { intercept, standardInterceptors } from "./grpc/interceptors/index.ts";
import { startGrpcServer } from "./grpc/server.ts";
import { patientService } from "./grpc/services/patient-service.ts";
import type { IndexKeys } from "./identifier-index/index.ts";
import type { PatientIndex } from "./patients/index.ts";
import { type Database, openStorage, patientStore, startFeedPublisher } from "./storage/index.ts";

/** What is told to whoever waits for the start. */
export type Progress = (step: string) => void;

export interface ServiceOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly progress: Progress;
  /** Whether the gateway runs in this process too. */
  readonly withGateway: boolean;
}

export interface Service {
  readonly httpPort: number | undefined;
  readonly grpcPort: number;
  /** Takes no more requests, lets those that run end, then closes the database. */
  stop(): Promise<void>;
}

/** Puts the service together and starts it; what was started before a failure is stopped again. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  try {
    return { ...(await start(options, stops)), stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

async function start(
  options: ServiceOptions,
  stops: (() => Promise<void>)[],
): Promise<Omit<Service, "stop">> {
  const { settings, log, progress } = options;
  const { database, keys, close } = await openStorage(settings, log, progress);
  stops.push(close);
  const publisher = startFeedPublisher(database, now, (error) =>
    log.error({ err: error }, "publishing failed"),
  );
  stops.push(() => publisher.stop());
  const services = coreServices(options, database, keys);
  const grpc = await startGrpcServer({ host: settings.grpcHost, port: settings.grpcPort, services, log });
  stops.push(() => grpc.stop(settings.shutdownGrace));
  progress(`gRPC listens on ${settings.grpcHost}:${grpc.port}`);
  if (!options.withGateway) return { grpcPort: grpc.port, httpPort: undefined };
  const gateway = await startGateway({
    host: settings.httpHost,
    port: settings.httpPort,
    transport: createInProcessTransport(services),
    connectServices: services,
    ...(settings.publicUrl && { publicUrl: settings.publicUrl }),
    defaultLanguage: settings.defaultLanguage,
    errorSystems: settings.errorSystems,
    bodyLimit: settings.bodyLimit,
    log,
  });
  stops.push(() => gateway.stop(settings.shutdownGrace));
  return { grpcPort: grpc.port, httpPort: gateway.port };
}

function coreServices(
  { settings, log }: ServiceOptions,
  database: Database,
  keys: IndexKeys,
): ServiceImplSpec[] {
  const index: PatientIndex = {
    store: patientStore(database, keys),
    now,
    indexSystem: settings.errorSystems.MPI,
    searchLimits: { maximum: settings.searchMaximum, batch: settings.batchLimit },
  };
  const chain = {
    interceptors: standardInterceptors(log, settings.errorSystems),
    defaultLanguage: settings.defaultLanguage,
  };
  return [intercept(PatientService, patientService(index, settings.errorSystems), chain)];
}

function now(): Date {
  return new Date();
}
