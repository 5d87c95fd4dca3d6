import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type CallOptions, createClient, type Transport } from "@connectrpc/connect";
import { AddressRegistryService } from "#proto/patientindex/registers/v1/address_registry_service_pb.ts";
import { EmploymentRegisterService } from "#proto/patientindex/registers/v1/employment_register_service_pb.ts";
import {
  LinkageKind,
  LinkageNotificationService,
} from "#proto/patientindex/registers/v1/linkage_notification_service_pb.ts";
import { PopulationRegisterService } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { SocialInsuranceService } from "#proto/patientindex/registers/v1/social_insurance_service_pb.ts";
import { UnemploymentFundService } from "#proto/patientindex/registers/v1/unemployment_fund_service_pb.ts";
import { fault, GrpcStatus, MpiError } from "../../errors/index.ts";
import { areAddressesAsked, isAboutPerson } from "../../registers/index.ts";
import type {
  AddressRegistry,
  EmploymentRegister,
  LinkageNotifier,
  PersonAsked,
  PopulationRegister,
  Registers,
  SocialInsurance,
  UnemploymentFund,
} from "../../registers/ports.ts";
import { RegisterFailure } from "../../registers/ports.ts";
import { type AdapterSilence, askAdapter, isNoCacheCall } from "./ask-adapter.ts";
import { soundAnswers, unsound } from "./sound-answers.ts";

/** Where the adapters are, and how long a register may take. */
export interface RegisterClientOptions {
  readonly transport: Transport;
  readonly timeoutMs: number;
}

/** The registers behind their adapters, in this process or apart. */
export function registerClients({ transport, timeoutMs }: RegisterClientOptions): Registers {
  const options = { transport: soundAnswers(transport), timeoutMs };
  return {
    population: populationClient(options),
    addresses: addressClient(options),
    employment: employmentClient(options),
    socialInsurance: socialInsuranceClient(options),
    unemployment: unemploymentClient(options),
    linkage: linkageClient(options),
  };
}

function populationClient({ transport, timeoutMs }: RegisterClientOptions): PopulationRegister {
  const client = createClient(PopulationRegisterService, transport);
  const silence: AdapterSilence = (status) => fault("XROAD_RR_SYSTEM_ERROR", {}, status ? { status } : {});
  const ask = <Answer>(call: Parameters<typeof askAdapter<Answer>>[2]) =>
    askAdapter(timeoutMs, silence, call);
  return {
    async readPerson(asked) {
      return await ask(async (options) => {
        const answer = await client.readPerson({ query: queryOf(asked) }, options);
        if (!isAboutPerson(answer, asked.personalCode)) throw unsound("It is about nobody or another.");
        return answer.person;
      });
    },
    listCapacityDecisions: (asked) =>
      ask((options) => client.listCapacityDecisions({ query: queryOf(asked) }, options)),
    listGuardianships: (asked) =>
      ask((options) => client.listGuardianships({ query: queryOf(asked) }, options)),
    listRelations: (asked) => ask((options) => client.listRelations({ query: queryOf(asked) }, options)),
    listCustodies: (asked) => ask((options) => client.listCustodies({ query: queryOf(asked) }, options)),
    readEducation: (asked) => ask((options) => client.readEducation({ query: queryOf(asked) }, options)),
    async updateContactData(contactData) {
      await askAdapter(timeoutMs, contactSilence, (options) =>
        client.updateContactData(contactData, options),
      );
    },
  };
}

/** Whatever goes wrong with contact data is XRR400, also an adapter that is away. */
function contactSilence(failed: Parameters<AdapterSilence>[0]) {
  const status = failed ?? GrpcStatus.UNAVAILABLE;
  const original = { original: "" };
  return status === GrpcStatus.UNKNOWN
    ? fault("XROAD_RR_CONTACT_EXCHANGE_FAILED", original)
    : fault("XROAD_RR_CONTACT_EXCHANGE_FAILED", original, { status });
}

function addressClient({ transport, timeoutMs }: RegisterClientOptions): AddressRegistry {
  const client = createClient(AddressRegistryService, transport);
  const silence: AdapterSilence = (status) => fault("XROAD_ADS_INTERNAL_ERROR", {}, status ? { status } : {});
  return {
    findAddresses: (asked) =>
      askAdapter(timeoutMs, silence, async (options) => {
        const answer = await client.findAddresses(asked, options);
        if (!areAddressesAsked(answer, asked)) throw unsound("They are no addresses, or others.");
        return answer;
      }),
  };
}

function employmentClient({ transport, timeoutMs }: RegisterClientOptions): EmploymentRegister {
  const client = createClient(EmploymentRegisterService, transport);
  const silence: AdapterSilence = (status) => fault("XROAD_TOR_INTERNAL_ERROR", {}, status ? { status } : {});
  return {
    listJobs: (asked) =>
      askAdapter(timeoutMs, silence, (options) => client.listJobs({ query: queryOf(asked) }, options)),
  };
}

function socialInsuranceClient({ transport, timeoutMs }: RegisterClientOptions): SocialInsurance {
  const client = createClient(SocialInsuranceService, transport);
  const silence: AdapterSilence = (status) => fault("XROAD_SKA_SYSTEM_ERROR", {}, status ? { status } : {});
  return {
    listDisabilities: (asked) =>
      askAdapter(timeoutMs, silence, (options) =>
        client.listDisabilities({ query: queryOf(asked) }, options),
      ),
  };
}

function unemploymentClient({ transport, timeoutMs }: RegisterClientOptions): UnemploymentFund {
  const client = createClient(UnemploymentFundService, transport);
  const silence: AdapterSilence = (status) => fault("XROAD_TK_SYSTEM_ERROR", {}, status ? { status } : {});
  return {
    listWorkCapacities: (asked) =>
      askAdapter(timeoutMs, silence, (options) =>
        client.listWorkCapacities({ query: queryOf(asked) }, options),
      ),
  };
}

const KINDS = { link: LinkageKind.LINK, unlink: LinkageKind.UNLINK } as const;

function linkageClient({ transport, timeoutMs }: RegisterClientOptions): LinkageNotifier {
  const client = createClient(LinkageNotificationService, transport);
  const silence: AdapterSilence = () => fault("WM_NOTIFICATION_FAILED");
  const tell = async (call: (options: CallOptions) => Promise<unknown>) => {
    try {
      await askAdapter(timeoutMs, silence, call);
    } catch (cause) {
      if (!(cause instanceof RegisterFailure)) throw cause;
      throw new MpiError("WM_NOTIFICATION_FAILED", {}, { ...statusOf(cause), cause });
    }
  };
  return {
    async notify({ id, kind, secondaryId, primaryId, at }, signal) {
      const notice = {
        notificationId: id,
        kind: KINDS[kind],
        sourceId: secondaryId,
        targetId: primaryId,
        at: timestampFromDate(new Date(at)),
      };
      await tell((options) => client.notifyLinkage(notice, { ...options, signal }));
    },
    async takeBack(notificationId, signal) {
      await tell((options) => client.retractLinkage({ notificationId }, { ...options, signal }));
    },
  };
}

function queryOf({ personalCode, noCache }: PersonAsked) {
  return { personalCode, noCache: noCache || isNoCacheCall() };
}

function statusOf({ status }: RegisterFailure) {
  return status === GrpcStatus.UNAVAILABLE || status === GrpcStatus.DEADLINE_EXCEEDED ? { status } : {};
}
