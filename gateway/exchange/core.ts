import type { Client, Transport } from "@connectrpc/connect";
import { createClient } from "@connectrpc/connect";
import { AuditService } from "#proto/patientindex/v1/audit_service_pb.ts";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { MatchingService } from "#proto/patientindex/v1/matching_service_pb.ts";
import { ObservationService } from "#proto/patientindex/v1/observation_service_pb.ts";
import { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { ReadinessService } from "#proto/patientindex/v1/readiness_service_pb.ts";
import { RelatedPersonService } from "#proto/patientindex/v1/related_person_service_pb.ts";
import { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import { TransactionService } from "#proto/patientindex/v1/transaction_service_pb.ts";

/** The services of the core, as the gateway calls them. */
export interface Core {
  readonly patients: Client<typeof PatientService>;
  readonly lookup: Client<typeof PatientLookupService>;
  readonly socialHistory: Client<typeof SocialHistoryService>;
  readonly linkage: Client<typeof LinkageService>;
  readonly matching: Client<typeof MatchingService>;
  readonly relatedPersons: Client<typeof RelatedPersonService>;
  readonly observations: Client<typeof ObservationService>;
  readonly audit: Client<typeof AuditService>;
  readonly readiness: Client<typeof ReadinessService>;
  readonly transactions: Client<typeof TransactionService>;
}

export function coreOf(transport: Transport): Core {
  return {
    patients: createClient(PatientService, transport),
    lookup: createClient(PatientLookupService, transport),
    socialHistory: createClient(SocialHistoryService, transport),
    linkage: createClient(LinkageService, transport),
    matching: createClient(MatchingService, transport),
    relatedPersons: createClient(RelatedPersonService, transport),
    observations: createClient(ObservationService, transport),
    audit: createClient(AuditService, transport),
    readiness: createClient(ReadinessService, transport),
    transactions: createClient(TransactionService, transport),
  };
}
