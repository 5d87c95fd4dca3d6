import type { ServiceImplSpec } from "@connectrpc/connect";
import { AddressRegistryService } from "#proto/patientindex/registers/v1/address_registry_service_pb.ts";
import { EmploymentRegisterService } from "#proto/patientindex/registers/v1/employment_register_service_pb.ts";
import { LinkageNotificationService } from "#proto/patientindex/registers/v1/linkage_notification_service_pb.ts";
import { PopulationRegisterService } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { SocialInsuranceService } from "#proto/patientindex/registers/v1/social_insurance_service_pb.ts";
import { UnemploymentFundService } from "#proto/patientindex/registers/v1/unemployment_fund_service_pb.ts";
import {
  type AnswerStore,
  addressAdapter,
  employmentAdapter,
  KeptAnswers,
  linkageNotificationAdapter,
  populationAdapter,
  type RegisterAddresses,
  socialInsuranceAdapter,
  unemploymentAdapter,
  xRoadClient,
} from "../../registers/index.ts";
import { type InterceptOptions, intercept } from "../interceptors/index.ts";

export interface AdapterOptions {
  readonly addresses: RegisterAddresses;
  /** X-Road-Client of calls that name none. */
  readonly client: string;
  readonly timeoutMs: number;
  readonly store: AnswerStore;
  readonly keepMs: number;
  readonly now: () => Date;
}

/** The adapters of all registers as gRPC services. Each register has a circuit breaker of its own. */
export function adapterServices(options: AdapterOptions, chain: InterceptOptions): ServiceImplSpec[] {
  const { addresses, client, timeoutMs } = options;
  const answers = new KeptAnswers(options);
  const to = (address: string) => xRoadClient({ address, client, timeoutMs });
  return [
    intercept(PopulationRegisterService, populationAdapter({ client: to(addresses.rr), answers }), chain),
    intercept(AddressRegistryService, addressAdapter(to(addresses.ads)), chain),
    intercept(EmploymentRegisterService, employmentAdapter({ client: to(addresses.tor), answers }), chain),
    intercept(SocialInsuranceService, socialInsuranceAdapter({ client: to(addresses.ska), answers }), chain),
    intercept(UnemploymentFundService, unemploymentAdapter({ client: to(addresses.tk), answers }), chain),
    intercept(LinkageNotificationService, linkageNotificationAdapter(to(addresses.wm)), chain),
  ];
}
