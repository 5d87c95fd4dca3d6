import type { ServiceImplSpec } from "@connectrpc/connect";
import { AuditService } from "#proto/patientindex/v1/audit_service_pb.ts";
import { CallBatchService } from "#proto/patientindex/v1/call_batch_service_pb.ts";
import { DuplicateReviewService } from "#proto/patientindex/v1/duplicate_review_service_pb.ts";
import { JobService } from "#proto/patientindex/v1/job_service_pb.ts";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { MatchingService } from "#proto/patientindex/v1/matching_service_pb.ts";
import { ObservationService } from "#proto/patientindex/v1/observation_service_pb.ts";
import { PatientLoadService } from "#proto/patientindex/v1/patient_load_service_pb.ts";
import { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { ReadinessService } from "#proto/patientindex/v1/readiness_service_pb.ts";
import { RelatedPersonService } from "#proto/patientindex/v1/related_person_service_pb.ts";
import { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import { TransactionService } from "#proto/patientindex/v1/transaction_service_pb.ts";
import type { PatientDirectory } from "../dependents/index.ts";
import { implemented, intercept, partsOfCalls } from "../grpc/interceptors/index.ts";
import { auditService } from "../grpc/services/audit-service.ts";
import { callBatchService } from "../grpc/services/call-batch-service.ts";
import { duplicateReviewService } from "../grpc/services/duplicate-review-service.ts";
import { jobService } from "../grpc/services/job-service.ts";
import { linkageService } from "../grpc/services/linkage-service.ts";
import { matchingService } from "../grpc/services/matching-service.ts";
import { observationService } from "../grpc/services/observation-service.ts";
import { patientLoadService } from "../grpc/services/patient-load-service.ts";
import { patientLookupService } from "../grpc/services/patient-lookup-service.ts";
import { patientService } from "../grpc/services/patient-service.ts";
import { readinessService } from "../grpc/services/readiness-service.ts";
import { relatedPersonService } from "../grpc/services/related-person-service.ts";
import { socialHistoryService } from "../grpc/services/social-history-service.ts";
import { transactionService } from "../grpc/services/transaction-service.ts";
import type { Jobs } from "../jobs/index.ts";
import { observationIndex } from "../observations/index.ts";
import {
  type PatientIndex,
  type PatientLoader,
  patientDirectory,
  registryAskedOnce,
} from "../patients/index.ts";
import { relatedPersonIndex } from "../related-persons/index.ts";
import {
  askStorage,
  auditReader,
  duplicateStore,
  matchStore,
  observationStore,
  relatedPersonStore,
  unitOfWork,
} from "../storage/index.ts";
import type { CoreChain } from "./core-chain.ts";
import type { CoreParts } from "./core-parts.ts";
import { turnsOfTransactions } from "./turns-of-transactions.ts";

/** What services need beside the parts: what stands round them, how much is loaded, the jobs, and when to end. */
interface Serving {
  readonly chain: CoreChain;
  readonly loader: PatientLoader;
  readonly jobs: Jobs;
  readonly stopping: AbortSignal;
}

/** Every service of the core. */
export function coreServices(
  parts: CoreParts,
  { chain, loader, jobs, stopping }: Serving,
): ServiceImplSpec[] {
  const { settings, storage, registers, metrics, patients: store } = parts;
  const { errorSystems } = settings;
  const { database, keys } = storage;
  const index = patientIndexOf(parts);
  const linkage = { patients: index, ...parts.linking };
  const directory = patientDirectory(store);
  const refusing = { systems: errorSystems, failures: chain.failures, refusals: metrics?.refusals };
  const ofPatients = patientService(index, loader, refusing);
  const { ofRelatedPersons, ofObservations } = dependentServices(parts, directory);
  const ofEntries = [
    implemented(PatientService, ofPatients),
    implemented(RelatedPersonService, ofRelatedPersons),
    implemented(ObservationService, ofObservations),
  ];
  const transactions = transactionService({
    work: unitOfWork(database, keys),
    turns: turnsOfTransactions(settings.databasePool),
    parts: partsOfCalls(ofEntries, chain.ofParts),
    patients: index,
    systems: errorSystems,
  });
  const patients = intercept(PatientService, ofPatients, chain);
  const trail = { reader: auditReader(database, keys), patients: directory };
  const history = { patients: store, registers, now };
  const matching = { patients: index, store: matchStore(database, keys) };
  const review = { linkage, duplicates: duplicateStore(database) };
  return [
    patients,
    intercept(CallBatchService, callBatchService([patients], errorSystems), chain.unguarded),
    intercept(RelatedPersonService, ofRelatedPersons, chain),
    intercept(ObservationService, ofObservations, chain),
    intercept(TransactionService, transactions, chain),
    intercept(PatientLoadService, patientLoadService(index, loader, refusing, stopping), chain),
    intercept(PatientLookupService, patientLookupService(index), chain),
    intercept(SocialHistoryService, socialHistoryService(history, errorSystems), chain),
    intercept(LinkageService, linkageService(linkage), chain),
    intercept(AuditService, auditService(trail, errorSystems), chain),
    intercept(MatchingService, matchingService(matching, errorSystems), chain),
    intercept(DuplicateReviewService, duplicateReviewService(review), chain),
    intercept(JobService, jobService(jobs, stopping), chain),
    intercept(
      ReadinessService,
      readinessService(() => askStorage(storage)),
      chain.unguarded,
    ),
  ];
}

function patientIndexOf({ settings, registers, patients: store, intake }: CoreParts): PatientIndex {
  const { searchMaximum: maximum, batchLimit: batch, errorSystems } = settings;
  const indexSystem = errorSystems.MPI;
  return {
    store,
    now,
    indexSystem,
    searchLimits: { maximum, batch, registerSystem: errorSystems.RR },
    addresses: { registry: registryAskedOnce(registers.addresses), indexSystem, now },
    intake,
  };
}

function dependentServices({ settings, storage }: CoreParts, patients: PatientDirectory) {
  const { searchMaximum, contactLimit, errorSystems } = settings;
  const { database, keys } = storage;
  const relatedPersons = relatedPersonIndex({
    patients,
    now,
    searchMaximum,
    store: relatedPersonStore(database, keys),
    indexSystem: errorSystems.MPI,
    contactLimit,
  });
  const store = observationStore(database, keys);
  const observations = observationIndex({ patients, now, searchMaximum, store });
  return {
    ofRelatedPersons: relatedPersonService(relatedPersons, errorSystems),
    ofObservations: observationService(observations, errorSystems),
  };
}

function now(): Date {
  return new Date();
}
