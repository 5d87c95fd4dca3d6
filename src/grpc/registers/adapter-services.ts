import type { ServiceImplSpec } from "@connectrpc/connect";
import { AddressRegistryService } from "#proto/patientindex/registers/v1/address_registry_service_pb.ts";
import { EmploymentRegisterService } from "#proto/patientindex/registers/v1/employment_register_service_pb.ts";
import { LinkageNotificationService } from "#proto/patientindex/registers/v1/linkage_notification_service_pb.ts";
import { PopulationRegisterService } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { SocialInsuranceService } from "#proto/patientindex/registers/v1/social_insurance_service_pb.ts";
import { UnemploymentFundService } from "#proto/patientindex/registers/v1/unemployment_fund_service_pb.ts";
import type { Metrics } from "../../metrics/index.ts";
import {
  type AnswerStore,
  addressAdapter,
  employmentAdapter,
  type Fetch,
  KeptAnswers,
  linkageNotificationAdapter,
  populationAdapter,
  type RegisterAddresses,
  type RegisterName,
  socialInsuranceAdapter,
  unemploymentAdapter,
  watchedClient,
  type XRoadClient,
  xRoadClient,
} from "../../registers/index.ts";
import { type InterceptOptions, intercept } from "../interceptors/index.ts";

export interface AdapterOptions {
  readonly addresses: RegisterAddresses;
  /** X-Road-Client of calls that name none. */
  readonly client: string;
  readonly timeoutMs: number;
  /** How registers are asked, by Node's own `fetch` unless given. */
  readonly fetch?: Fetch;
  readonly store: AnswerStore;
  readonly keepMs: number;
  readonly now: () => Date;
  readonly metrics?: Metrics | undefined;
}

/** The adapters of all registers as gRPC services. Each register has a circuit breaker of its own. */
export function adapterServices(options: AdapterOptions, chain: InterceptOptions): ServiceImplSpec[] {
  const answers = new KeptAnswers(options);
  const to = (register: RegisterName) => clientOf(register, options);
  const services: Record<RegisterName, ServiceImplSpec> = {
    rr: intercept(PopulationRegisterService, populationAdapter({ client: to("rr"), answers }), chain),
    ads: intercept(AddressRegistryService, addressAdapter(to("ads")), chain),
    tor: intercept(EmploymentRegisterService, employmentAdapter({ client: to("tor"), answers }), chain),
    ska: intercept(SocialInsuranceService, socialInsuranceAdapter({ client: to("ska"), answers }), chain),
    tk: intercept(UnemploymentFundService, unemploymentAdapter({ client: to("tk"), answers }), chain),
    wm: intercept(LinkageNotificationService, linkageNotificationAdapter(to("wm")), chain),
  };
  return Object.values(services);
}

function clientOf(
  register: RegisterName,
  { addresses, client, timeoutMs, fetch, metrics }: AdapterOptions,
): XRoadClient {
  const options = { address: addresses[register], client, timeoutMs, fetch, register };
  if (!metrics) return xRoadClient(options);
  const { registerCircuits, registerQuestions } = metrics;
  const onCircuit = (isOpen: boolean) => registerCircuits.set({ register }, isOpen ? 1 : 0);
  onCircuit(false);
  return watchedClient(xRoadClient({ ...options, resilience: { onCircuit } }), (service, outcome, seconds) =>
    registerQuestions.observe({ register, service, outcome }, seconds),
  );
}
