import type { Client, Transport } from "@connectrpc/connect";
import { createClient } from "@connectrpc/connect";
import type { Logger } from "pino";
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
import type { ErrorSystems, Language } from "../../src/errors/index.ts";
import type { FailureLog } from "./failure-log.ts";

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

/** What holds for every request of a gateway. */
export interface GatewaySetting {
  readonly core: Core;
  /** The way to the core. */
  readonly transport: Transport;
  /** Origin of links and Location, such as https://mpi.example.ee; the Host of the request when not set. */
  readonly publicUrl: string | undefined;
  /** Language of texts for those who ask for none of ours. */
  readonly defaultLanguage: Language;
  readonly errorSystems: ErrorSystems;
  /** Largest body, in bytes. */
  readonly bodyLimit: number;
  /** How long the core may take for one call, in milliseconds. */
  readonly callTimeoutMs: number;
  readonly log: Logger;
  /** Where requests are told of that failed by no fault of their callers. */
  readonly failures: FailureLog;
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
