import type { DescService } from "@bufbuild/protobuf";
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

/** Every service of a core: a gateway apart serves them to browsers as one in the core's process does. */
export const forwardedServices: readonly DescService[] = [
  AuditService,
  CallBatchService,
  DuplicateReviewService,
  JobService,
  LinkageService,
  MatchingService,
  ObservationService,
  PatientLoadService,
  PatientLookupService,
  PatientService,
  ReadinessService,
  RelatedPersonService,
  SocialHistoryService,
  TransactionService,
];
