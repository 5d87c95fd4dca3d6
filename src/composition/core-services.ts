import type { ServiceImplSpec } from "@connectrpc/connect";
import type { Logger } from "pino";
import { AuditService } from "#proto/patientindex/v1/audit_service_pb.ts";
import { CallBatchService } from "#proto/patientindex/v1/call_batch_service_pb.ts";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { ObservationService } from "#proto/patientindex/v1/observation_service_pb.ts";
import { PatientLoadService } from "#proto/patientindex/v1/patient_load_service_pb.ts";
import { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { ReadinessService } from "#proto/patientindex/v1/readiness_service_pb.ts";
import { RelatedPersonService } from "#proto/patientindex/v1/related_person_service_pb.ts";
import { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import { TransactionService } from "#proto/patientindex/v1/transaction_service_pb.ts";
import type { Settings } from "../config.ts";
import { implemented, intercept, partsOfCalls } from "../grpc/interceptors/index.ts";
import { auditService } from "../grpc/services/audit-service.ts";
import { callBatchService } from "../grpc/services/call-batch-service.ts";
import { linkageService } from "../grpc/services/linkage-service.ts";
import { matchingServices } from "../grpc/services/matching-services.ts";
import { observationService } from "../grpc/services/observation-service.ts";
import { patientLoadService } from "../grpc/services/patient-load-service.ts";
import { patientLookupService } from "../grpc/services/patient-lookup-service.ts";
import { patientService } from "../grpc/services/patient-service.ts";
import { readinessService } from "../grpc/services/readiness-service.ts";
import { relatedPersonService } from "../grpc/services/related-person-service.ts";
import { socialHistoryService } from "../grpc/services/social-history-service.ts";
import { transactionService } from "../grpc/services/transaction-service.ts";
import type { KeyRing } from "../identifier-index/index.ts";
import { observationIndex } from "../observations/index.ts";
import {
  type PatientIndex,
  type PatientLoader,
  patientDirectory,
  registryAskedOnce,
} from "../patients/index.ts";
import type { Registers } from "../registers/ports.ts";
import { relatedPersonIndex } from "../related-persons/index.ts";
import {
  askDatabase,
  auditReader,
  type Database,
  duplicateStore,
  linkStore,
  matchStore,
  observationStore,
  patientStore,
  relatedPersonStore,
  unitOfWork,
} from "../storage/index.ts";
import { tellingOf } from "./background-work.ts";
import { type CoreChain, chainOf } from "./core-chain.ts";
import { registerLoading } from "./register-loading.ts";

interface CoreOptions {
  readonly settings: Settings;
  readonly log: Logger;
}

/** Every service of the core but those of jobs, on its stores. */
export function coreServices(
  options: CoreOptions,
  database: Database,
  keys: KeyRing,
  registers: Registers,
  chain: CoreChain,
  loader: PatientLoader,
  stopping: AbortSignal,
): ServiceImplSpec[] {
  const { settings } = options;
  const { errorSystems } = settings;
  const store = patientStore(database, keys, settings);
  const registerSystem = errorSystems.RR;
  const index: PatientIndex = {
    store,
    now,
    indexSystem: errorSystems.MPI,
    searchLimits: { maximum: settings.searchMaximum, batch: settings.batchLimit, registerSystem },
    addresses: { registry: registryAskedOnce(registers.addresses), indexSystem: errorSystems.MPI, now },
    loading: registerLoading(options, database, keys, store, registers),
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
  const refusing = { systems: errorSystems, log: options.log };
  const ofPatients = patientService(index, loader, refusing);
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
  const patients = intercept(PatientService, ofPatients, chain);
  return [
    patients,
    intercept(CallBatchService, callBatchService([patients], errorSystems), chainOf(options)),
    intercept(RelatedPersonService, ofRelatedPersons, chain),
    intercept(ObservationService, ofObservations, chain),
    intercept(TransactionService, transactions, chain),
    intercept(PatientLoadService, patientLoadService(index, loader, refusing, stopping), chain),
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
    ...matchingServices(linkage, matchStore(database, keys), duplicateStore(database), errorSystems, chain),
    intercept(
      ReadinessService,
      readinessService(() => askDatabase(database)),
      chainOf(options),
    ),
  ];
}

function now(): Date {
  return new Date();
}
