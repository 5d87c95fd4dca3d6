import type { FindAddressesResponse } from "#proto/patientindex/registers/v1/address_registry_service_pb.ts";
import type { ListJobsResponse } from "#proto/patientindex/registers/v1/employment_register_service_pb.ts";
import type {
  ListCapacityDecisionsResponse,
  ListCustodiesResponse,
  ListGuardianshipsResponse,
  ListRelationsResponse,
  ReadEducationResponse,
  RegisteredPerson,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import type { RegisteredAddress } from "#proto/patientindex/registers/v1/registered_address_pb.ts";
import type { ListDisabilitiesResponse } from "#proto/patientindex/registers/v1/social_insurance_service_pb.ts";
import type { ListWorkCapacitiesResponse } from "#proto/patientindex/registers/v1/unemployment_fund_service_pb.ts";

/** A question about one person. Every port throws RegisterFailure when the register does not answer it. */
export interface PersonAsked {
  readonly personalCode: string;
  /** Ask the register even if an answer is kept; so does the header Cache-Control: no-cache of the call. */
  readonly noCache: boolean;
}

/** The population register (RR). */
export interface PopulationRegister {
  readPerson(asked: PersonAsked): Promise<RegisteredPerson>;
  listCapacityDecisions(asked: PersonAsked): Promise<ListCapacityDecisionsResponse>;
  listGuardianships(asked: PersonAsked): Promise<ListGuardianshipsResponse>;
  listRelations(asked: PersonAsked): Promise<ListRelationsResponse>;
  listCustodies(asked: PersonAsked): Promise<ListCustodiesResponse>;
  readEducation(asked: PersonAsked): Promise<ReadEducationResponse>;
  updateContactData(contactData: ContactData): Promise<void>;
}

/** What the population register is told of a person. */
export interface ContactData {
  readonly personalCode: string;
  /** The same in every attempt to send it. */
  readonly messageId: string;
  readonly phones: string[];
  readonly emails: string[];
  readonly addresses: RegisteredAddress[];
}

/** What addresses are looked for by: all that is given must fit. */
export interface AddressAsked {
  readonly adrId?: string;
  readonly adsOid?: string;
  readonly text?: string;
}

/** The address registry (ADS). */
export interface AddressRegistry {
  findAddresses(asked: AddressAsked): Promise<FindAddressesResponse>;
}

/** The employment register (TÖR). */
export interface EmploymentRegister {
  listJobs(asked: PersonAsked): Promise<ListJobsResponse>;
}

/** The social insurance board (SKA). */
export interface SocialInsurance {
  listDisabilities(asked: PersonAsked): Promise<ListDisabilitiesResponse>;
}

/** The unemployment insurance fund (TK). */
export interface UnemploymentFund {
  listWorkCapacities(asked: PersonAsked): Promise<ListWorkCapacitiesResponse>;
}

/** What the WM service is told of. */
export interface LinkageNotification {
  /** The same however often it is sent: by it a receiver drops repeats. */
  readonly id: string;
  readonly kind: "link" | "unlink";
  readonly secondaryId: string;
  readonly primaryId: string;
  /** ISO 8601, when it was stored. */
  readonly at: string;
}

/** The WM service. Both calls throw when the service did not take the message, and end when the signal aborts. */
export interface LinkageNotifier {
  notify(notification: LinkageNotification, signal: AbortSignal): Promise<void>;
  /** Takes back a notification of what was not stored in the end. */
  takeBack(notificationId: string, signal: AbortSignal): Promise<void>;
}

/** All registers. */
export interface Registers {
  readonly population: PopulationRegister;
  readonly addresses: AddressRegistry;
  readonly employment: EmploymentRegister;
  readonly socialInsurance: SocialInsurance;
  readonly unemployment: UnemploymentFund;
  /** The WM service: throws MpiError MPI-039 when it could not be told. */
  readonly linkage: LinkageNotifier;
}
export { failingAs, isAbsentPerson } from "./register-chains.ts";
export { RegisterFailure } from "./register-failure.ts";
