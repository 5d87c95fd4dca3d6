import type { ServiceImplSpec } from "@connectrpc/connect";
import type { Logger } from "pino";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { ObservationService } from "#proto/patientindex/v1/observation_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { RelatedPersonService } from "#proto/patientindex/v1/related_person_service_pb.ts";
import { startGateway } from "../gateway/server.ts";
import { createInProcessTransport } from "../gateway/transport/in-process.ts";
import type { Settings } from "./config.ts";
import type { PatientDirectory } from "./dependents/index.ts";
import { causesOf } from "./errors/index.ts";
import { intercept, standardInterceptors } from "./grpc/interceptors/index.ts";
import { startGrpcServer } from "./grpc/server.ts";
import { linkageService } from "./grpc/services/linkage-service.ts";
import { observationService } from "./grpc/services/observation-service.ts";
import { patientService } from "./grpc/services/patient-service.ts";
import { relatedPersonService } from "./grpc/services/related-person-service.ts";
import type { IndexKeys } from "./identifier-index/index.ts";
import {
  type LinkageNotifier,
  startNotificationWorker,
  synchronousTeller,
  type Telling,
} from "./linkage/index.ts";
import { observationIndex } from "./observations/index.ts";
import type { PatientIndex, PatientStore } from "./patients/index.ts";
import { relatedPersonIndex } from "./related-persons/index.ts";
import {
  type Database,
  linkStore,
  notificationQueue,
  observationStore,
  openStorage,
  patientStore,
  relatedPersonStore,
  startFeedPublisher,
} from "./storage/index.ts";

/** What is told to whoever waits for the start. */
export type Progress = (step: string) => void;

export interface ServiceOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly progress: Progress;
  /** Whether the gateway runs in this process too. */
  readonly withGateway: boolean;
  /** The WM service; without one its notifications wait in the database. */
  readonly linkageNotifier?: LinkageNotifier;
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
  stops.push(startTelling(options, database));
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

/** Delivers what waits for the WM service; answers with how to stop. */
function startTelling({ linkageNotifier, log }: ServiceOptions, database: Database): () => Promise<void> {
  if (!linkageNotifier) return async () => undefined;
  const onFailure = (error: unknown) => log.warn({ causes: causesOf(error) }, "WM service not told");
  const worker = startNotificationWorker(
    { queue: notificationQueue(database), notifier: linkageNotifier, now, onFailure },
    (error) => log.error({ causes: causesOf(error) }, "telling the WM service failed"),
  );
  return () => worker.stop();
}

function tellingOf({ settings, linkageNotifier, log }: ServiceOptions): Telling {
  if (settings.wmMode === "outbox") return "outbox";
  if (!linkageNotifier) throw new Error("MPI_WM_MODE is sync, and there is no WM service to tell.");
  return synchronousTeller(linkageNotifier, (error) =>
    log.error({ causes: causesOf(error) }, "WM notification not taken back"),
  );
}

function coreServices(options: ServiceOptions, database: Database, keys: IndexKeys): ServiceImplSpec[] {
  const { settings, log } = options;
  const { errorSystems } = settings;
  const store = patientStore(database, keys);
  const index: PatientIndex = {
    store,
    now,
    indexSystem: errorSystems.MPI,
    searchLimits: { maximum: settings.searchMaximum, batch: settings.batchLimit },
  };
  const dependents = { patients: directoryOf(store), now, searchMaximum: settings.searchMaximum };
  const relatedPersons = relatedPersonIndex({
    ...dependents,
    store: relatedPersonStore(database, keys),
    indexSystem: errorSystems.MPI,
    contactLimit: settings.contactLimit,
  });
  const observations = observationIndex({ ...dependents, store: observationStore(database, keys) });
  const linkage = { patients: index, links: linkStore(database), telling: tellingOf(options) };
  const chain = {
    interceptors: standardInterceptors(log, errorSystems),
    defaultLanguage: settings.defaultLanguage,
  };
  return [
    intercept(PatientService, patientService(index, errorSystems), chain),
    intercept(LinkageService, linkageService(linkage), chain),
    intercept(RelatedPersonService, relatedPersonService(relatedPersons, errorSystems), chain),
    intercept(ObservationService, observationService(observations, errorSystems), chain),
  ];
}

/** Patients as their dependents see them. */
function directoryOf(store: PatientStore): PatientDirectory {
  return {
    read: async (id) => (await store.read(id))?.patient,
    holders: (identifiers) => store.holders(identifiers),
    group: (id) => store.group(id),
  };
}

function now(): Date {
  return new Date();
}
