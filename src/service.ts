import type { ServiceImplSpec } from "@connectrpc/connect";
import type { Logger } from "pino";
import { AuditService } from "#proto/patientindex/v1/audit_service_pb.ts";
import { JobService } from "#proto/patientindex/v1/job_service_pb.ts";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { ObservationService } from "#proto/patientindex/v1/observation_service_pb.ts";
import { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { ReadinessService } from "#proto/patientindex/v1/readiness_service_pb.ts";
import { RelatedPersonService } from "#proto/patientindex/v1/related_person_service_pb.ts";
import { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import { TransactionService } from "#proto/patientindex/v1/transaction_service_pb.ts";
import { startGateway } from "../gateway/server.ts";
import { createInProcessTransport } from "../gateway/transport/in-process.ts";
import { createRemoteTransport } from "../gateway/transport/remote.ts";
import { refuseUnlistedMethods } from "./access/index.ts";
import type { AuditTrail } from "./audit/index.ts";
import { auditTrailOf } from "./auditing.ts";
import { authenticationOf, checkedAuthors, missingCallerSettings } from "./authentication.ts";
import { startJobs } from "./background-jobs.ts";
import { backgroundWork, startPublishing, startPurging, tellingOf } from "./background-work.ts";
import { SharedWork } from "./call/shared-work.ts";
import { type Settings, SettingsError } from "./config.ts";
import {
  guards,
  guardsOfParts,
  type InterceptOptions,
  type Interceptor,
  implemented,
  intercept,
  partsOfCalls,
  standardInterceptors,
} from "./grpc/interceptors/index.ts";
import { adapterServices } from "./grpc/registers/adapter-services.ts";
import { registerClients } from "./grpc/registers/register-clients.ts";
import { startGrpcServer } from "./grpc/server.ts";
import { auditService } from "./grpc/services/audit-service.ts";
import { jobService } from "./grpc/services/job-service.ts";
import { linkageService } from "./grpc/services/linkage-service.ts";
import { matchingServices } from "./grpc/services/matching-services.ts";
import { observationService } from "./grpc/services/observation-service.ts";
import { patientLookupService } from "./grpc/services/patient-lookup-service.ts";
import { patientService } from "./grpc/services/patient-service.ts";
import { readinessService } from "./grpc/services/readiness-service.ts";
import { relatedPersonService } from "./grpc/services/related-person-service.ts";
import { socialHistoryService } from "./grpc/services/social-history-service.ts";
import { transactionService } from "./grpc/services/transaction-service.ts";
import type { KeyRing } from "./identifier-index/index.ts";
import { observationIndex } from "./observations/index.ts";
import {
  type PatientIndex,
  type PatientStore,
  patientDirectory,
  registryAskedOnce,
} from "./patients/index.ts";
import { findRegisters } from "./register-addresses.ts";
import type { Registers } from "./registers/ports.ts";
import { relatedPersonIndex } from "./related-persons/index.ts";
import type { Sandbox } from "./sandbox/index.ts";
import {
  answerStore,
  askDatabase,
  auditReader,
  type Database,
  duplicateStore,
  isOutOfReach,
  linkStore,
  matchStore,
  observationStore,
  openStorage,
  patientStore,
  relatedPersonStore,
  unitOfWork,
} from "./storage/index.ts";
import { clientTls, serverTls } from "./tls-settings.ts";

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
  /** Where the sandbox is, when this process runs it. */
  readonly sandboxUrl: string | undefined;
  /** Takes no more requests, lets those that run end, then closes the database. */
  stop(): Promise<void>;
}

/** Puts the service together and starts it; what was started before a failure is stopped again. */
export function startService(options: ServiceOptions): Promise<Service> {
  return stoppable((stops) => start(options, stops));
}

/** The adapters of the registers alone, for cores that run elsewhere. */
export function startRegisters(
  options: Omit<ServiceOptions, "withGateway">,
): Promise<Pick<Service, "grpcPort" | "sandboxUrl" | "stop">> {
  return stoppable(async (stops) => {
    const { settings, log, progress } = options;
    const { database, keys, close } = await openStorage(settings, log, progress);
    stops.push(close);
    const { services, sandbox } = await localAdapters(options, database, keys, stops);
    const { grpcHost: host, registersPort: port } = settings;
    const tls = grpcTls(settings);
    const grpc = await startGrpcServer({ host, port, services, log, ...tls });
    stops.push(() => grpc.stop(settings.shutdownGrace));
    return { grpcPort: grpc.port, sandboxUrl: sandbox?.url };
  });
}

type Stops = (() => Promise<void>)[];

async function stoppable<Started>(
  begin: (stops: Stops) => Promise<Started>,
): Promise<Started & Pick<Service, "stop">> {
  const stops: Stops = [];
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  try {
    return { ...(await begin(stops)), stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

async function start(options: ServiceOptions, stops: Stops): Promise<Omit<Service, "stop">> {
  const { settings, log, progress } = options;
  const missing = missingCallerSettings(settings);
  if (missing.length > 0) throw new SettingsError(missing.join("\n"));
  const storage = await openStorage(settings, log, progress);
  const { database, keys } = storage;
  stops.push(storage.close);
  const trail = await auditTrailOf(settings, database, keys, log);
  stops.push(startPublishing(database, log));
  const { registers, sandbox } = await connectRegisters(options, database, keys, stops);
  const { jobs, stop: stopJobs } = await startJobs({ ...options, storage, registers });
  stops.push(stopJobs);
  const stopping = new AbortController();
  const patients = patientStore(database, keys);
  const chain = coreChain(options, { registers, sandbox, trail, patients });
  const services = [
    ...coreServices(options, database, keys, registers, chain),
    intercept(JobService, jobService(jobs, stopping.signal), chain),
  ];
  refuseUnlistedMethods(services.map(({ service }) => service));
  const sandboxUrl = sandbox?.url;
  const { grpcHost: host, grpcPort: port } = settings;
  const grpc = await startGrpcServer({ host, port, services, log, ...grpcTls(settings) });
  stops.push(() => grpc.stop(settings.shutdownGrace));
  progress(`gRPC listens on ${settings.grpcHost}:${grpc.port}`);
  // Those who watch a job would keep the servers from stopping.
  const endWatching = async () => stopping.abort();
  stops.push(endWatching);
  if (!options.withGateway) return { grpcPort: grpc.port, httpPort: undefined, sandboxUrl };
  const gateway = await startGateway({
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
    ...httpTls(settings),
    log,
  });
  stops.push(() => gateway.stop(settings.shutdownGrace));
  stops.push(endWatching);
  return { grpcPort: grpc.port, httpPort: gateway.port, sandboxUrl };
}

/** The registers, by adapters elsewhere or by those of this process. */
async function connectRegisters(
  options: ServiceOptions,
  database: Database,
  keys: KeyRing,
  stops: Stops,
): Promise<{ readonly registers: Registers; readonly sandbox: Sandbox | undefined }> {
  const { registersAddress, registerTimeout: timeoutMs } = options.settings;
  if (registersAddress !== undefined) {
    const tls = clientTls(options.settings);
    const transport = createRemoteTransport({ target: registersAddress, ...(tls && { tls }) });
    stops.push(async () => transport.close());
    return { registers: registerClients({ transport, timeoutMs }), sandbox: undefined };
  }
  const { services, sandbox } = await localAdapters(options, database, keys, stops);
  const transport = createInProcessTransport(services);
  return { registers: registerClients({ transport, timeoutMs }), sandbox };
}

async function localAdapters(
  { settings, log, progress }: Omit<ServiceOptions, "withGateway">,
  database: Database,
  keys: KeyRing,
  stops: Stops,
): Promise<{ readonly services: ServiceImplSpec[]; readonly sandbox: Sandbox | undefined }> {
  const { addresses, sandbox } = await findRegisters(settings);
  if (sandbox) {
    stops.push(() => sandbox.stop());
    progress(`The sandbox stands in for registers at ${sandbox.url}`);
  }
  stops.push(startPurging(backgroundWork(database, settings.errorSystems, log)));
  const options = {
    addresses,
    client: settings.xRoadClient,
    timeoutMs: settings.registerTimeout,
    store: answerStore(database, keys),
    keepMs: settings.registerKeepSeconds * 1000,
    now,
  };
  return { services: adapterServices(options, chainOf({ settings, log })), sandbox };
}

function chainOf({ settings, log }: Pick<ServiceOptions, "settings" | "log">): InterceptOptions {
  return {
    interceptors: standardInterceptors(log, settings.errorSystems, isOutOfReach),
    defaultLanguage: settings.defaultLanguage,
  };
}

/** What stands round the core's methods, and round each part of a call that does several things. */
interface CoreChain extends InterceptOptions {
  readonly ofParts: readonly Interceptor[];
}

interface ChainParts {
  readonly registers: Registers;
  readonly sandbox: Sandbox | undefined;
  readonly trail: AuditTrail | undefined;
  readonly patients: PatientStore;
}

/** Callers, authors and rights are checked in the core, not again by the adapters that it asks. */
function coreChain(options: ServiceOptions, { registers, sandbox, trail, patients }: ChainParts): CoreChain {
  const { settings, log } = options;
  const chain = chainOf(options);
  const reach = { patients, population: registers.population, now };
  const guarding = guards({
    ...settings,
    trail,
    authentication: authenticationOf(settings, sandbox, log),
    authors: checkedAuthors(settings, registers.population, log),
    reach,
  });
  const ofParts = guardsOfParts({ reach });
  return { ...chain, interceptors: [...chain.interceptors, ...guarding], ofParts };
}

function coreServices(
  options: ServiceOptions,
  database: Database,
  keys: KeyRing,
  registers: Registers,
  chain: CoreChain,
): ServiceImplSpec[] {
  const { settings } = options;
  const { errorSystems } = settings;
  const store = patientStore(database, keys, settings);
  const { population } = registers;
  const registerSystem = errorSystems.RR;
  const index: PatientIndex = {
    store,
    now,
    indexSystem: errorSystems.MPI,
    searchLimits: { maximum: settings.searchMaximum, batch: settings.batchLimit, registerSystem },
    addresses: { registry: registryAskedOnce(registers.addresses), indexSystem: errorSystems.MPI, now },
    loading: { store, now, population, registerSystem, loads: new SharedWork() },
  };
  const dependents = { patients: patientDirectory(store), now, searchMaximum: settings.searchMaximum };
  const relatedPersons = relatedPersonIndex({
    ...dependents,
    store: relatedPersonStore(database, keys),
    indexSystem: errorSystems.MPI,
    contactLimit: settings.contactLimit,
  });
  const observations = observationIndex({ ...dependents, store: observationStore(database, keys) });
  const linkage = {
    patients: index,
    links: linkStore(database, keys),
    telling: tellingOf(settings.wmMode, registers.linkage, options.log),
  };
  const ofPatients = patientService(index, errorSystems);
  const ofRelatedPersons = relatedPersonService(relatedPersons, errorSystems);
  const ofObservations = observationService(observations, errorSystems);
  const parts = [
    implemented(PatientService, ofPatients),
    implemented(RelatedPersonService, ofRelatedPersons),
    implemented(ObservationService, ofObservations),
  ];
  const transactions = transactionService(
    unitOfWork(database, keys),
    partsOfCalls(parts, chain.ofParts),
    index,
    errorSystems,
  );
  return [
    intercept(PatientService, ofPatients, chain),
    intercept(RelatedPersonService, ofRelatedPersons, chain),
    intercept(ObservationService, ofObservations, chain),
    intercept(TransactionService, transactions, chain),
    intercept(PatientLookupService, patientLookupService(index), chain),
    intercept(
      SocialHistoryService,
      socialHistoryService({ patients: store, registers, now }, errorSystems),
      chain,
    ),
    intercept(LinkageService, linkageService(linkage), chain),
    intercept(
      AuditService,
      auditService({ reader: auditReader(database, keys), patients: dependents.patients }, errorSystems),
      chain,
    ),
    ...matchingServices(linkage, matchStore(database, keys), duplicateStore(database), chain),
    intercept(
      ReadinessService,
      readinessService(() => askDatabase(database)),
      chainOf(options),
    ),
  ];
}

function grpcTls(settings: Settings) {
  const tls = serverTls(settings);
  return tls && { tls };
}

function httpTls({ httpCertificate: certificate, httpKey: key }: Settings) {
  return certificate && key && { tls: { certificate, key } };
}

function now(): Date {
  return new Date();
}
