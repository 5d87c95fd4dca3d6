import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { AddressRegistryService } from "#proto/patientindex/registers/v1/address_registry_service_pb.ts";
import { EmploymentRegisterService } from "#proto/patientindex/registers/v1/employment_register_service_pb.ts";
import {
  PopulationRegisterService,
  type ReadPersonResponseSchema,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { SocialInsuranceService } from "#proto/patientindex/registers/v1/social_insurance_service_pb.ts";
import { UnemploymentFundService } from "#proto/patientindex/registers/v1/unemployment_fund_service_pb.ts";
import { ErrorDetailsSchema, type IssueSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { defaultErrorSystems, renderIssues } from "../../src/errors/index.ts";
import { registerClients } from "../../src/grpc/registers/register-clients.ts";
import type { AddressAsked, Registers } from "../../src/registers/ports.ts";
import { failureOf, GrpcStatus, issueCodes } from "./register-failures.ts";

const personalCode = "47605030299";
const asked = { personalCode, noCache: false };
const person = { personalCode, givenNames: ["Mari"], familyName: "Maasikas", sex: "female" };
const address = { adrId: "2100001", adsOid: "EE00000001", text: "Harju maakond, Tallinn, Aia tn 3" };

/** The registers as the core sees them behind adapters that somebody else wrote. */
function behind(routes: (router: ConnectRouter) => void): Registers {
  return registerClients({ transport: createRouterTransport(routes), timeoutMs: 60_000 });
}

function answeringPerson(answer: MessageInitShape<typeof ReadPersonResponseSchema>): Registers {
  return behind(({ service }) => service(PopulationRegisterService, { readPerson: () => answer }));
}

describe("an adapter of others that says of a person what cannot be", () => {
  it.for<[string, MessageInitShape<typeof ReadPersonResponseSchema>]>([
    ["nobody", {}],
    ["somebody without a code", { person: { ...person, personalCode: "" } }],
    ["another person", { person: { ...person, personalCode: "38010130257" } }],
    ["a sex that is none", { person: { ...person, sex: "M" } }],
    ["a birth in the words of a country", { person: { ...person, birthDate: "03.05.1976" } }],
    ["a death in the future", { person: { ...person, deathDate: "2199-01-01" } }],
    ["a successor that is no code", { person: { ...person, successorCode: "4760503" } }],
    ["a name with a sign that no text of FHIR has", { person: { ...person, familyName: "Maa\u0000sikas" } }],
    ["a name longer than any text of FHIR", { person: { ...person, familyName: "a".repeat(1_048_577) } }],
    ["a residence with such a sign", { person: { ...person, residence: { ...address, city: "\u0001" } } }],
  ])("has given no answer: %s", async ([, answer]) => {
    const failure = await failureOf(answeringPerson(answer).population.readPerson(asked));
    expect([issueCodes(failure), failure.status]).toEqual([["XRR100"], GrpcStatus.UNKNOWN]);
  });

  it("is believed where it says what can be", async () => {
    await expect(answeringPerson({ person }).population.readPerson(asked)).resolves.toMatchObject(person);
  });
});

describe("an adapter of others that says what cannot be", () => {
  const period = { start: "2030-01-02", end: "2030-01-01" };
  const registers = behind(({ service }) => {
    service(PopulationRegisterService, {
      listCapacityDecisions: () => ({ decisions: [{ code: "T1", period: { start: "yesterday" } }] }),
      listCustodies: () => ({ holders: [{ type: "H10", person, period }] }),
      readEducation: () => ({ code: "1", display: "\u0001" }),
    });
    service(EmploymentRegisterService, { listJobs: () => ({ jobs: [{ rate: "0,5" }] }) });
    service(SocialInsuranceService, { listDisabilities: () => ({ disabilities: [{ period }] }) });
    service(UnemploymentFundService, { listWorkCapacities: () => ({ decisions: [{ period }] }) });
  });
  const { population, employment, socialInsurance, unemployment } = registers;

  it.for<[string, () => Promise<unknown>, string]>([
    ["capacity", () => population.listCapacityDecisions(asked), "XRR100"],
    ["custody", () => population.listCustodies(asked), "XRR100"],
    ["education", () => population.readEducation(asked), "XRR100"],
    ["jobs", () => employment.listJobs(asked), "XR_TOR-001"],
    ["disability", () => socialInsurance.listDisabilities(asked), "XSKA100"],
    ["capacity for work", () => unemployment.listWorkCapacities(asked), "XTK100"],
  ])("has given no answer: %s", async ([, ask, code]) => {
    const failure = await failureOf(ask());
    expect([issueCodes(failure), failure.status]).toEqual([[code], GrpcStatus.UNKNOWN]);
  });

  it.for<[string, AddressAsked, object]>([
    ["an address of another adr-id", { adrId: "2100002" }, address],
    ["an address of another ads-oid", { adsOid: "EE00000002" }, address],
    ["an adr-id twice, with other texts", { adrId: address.adrId }, { ...address, text: "Aia tn 5" }],
    ["an address without an id", { text: address.text }, { ...address, adrId: "" }],
    ["an address without a text", { adrId: address.adrId }, { ...address, text: " " }],
  ])("has given no answer: %s", async ([, question, answer]) => {
    const { addresses } = behind(({ service }) =>
      service(AddressRegistryService, { findAddresses: () => ({ addresses: [address, answer] }) }),
    );
    const failure = await failureOf(addresses.findAddresses(question));
    expect([issueCodes(failure), failure.status]).toEqual([["XR_ADS-001"], GrpcStatus.UNKNOWN]);
  });
});

it("texts come without blanks round them, and codes without those that no code of FHIR has", async () => {
  const { addresses, population, employment, socialInsurance, unemployment } = behind(({ service }) => {
    service(PopulationRegisterService, {
      listCapacityDecisions: () => ({ decisions: [{ code: "T1 " }] }),
      listCustodies: () => ({
        holders: [{ type: " H10", person: { ...person, personalCode: "47605030299 " } }],
      }),
      readPerson: () => ({ person: { ...person, givenNames: ["Mari ", " "], familyName: " Maasikas" } }),
      readEducation: () => ({ code: " ", display: " Kutse  haridus " }),
    });
    service(AddressRegistryService, {
      findAddresses: () => ({
        addresses: [{ ...address, adrId: "2100001 ", adsOid: " EE00000001", ehak: " ", objectType: "MR " }],
      }),
    });
    const employer = { registryCode: " 10000001 ", name: "Asutus " };
    service(EmploymentRegisterService, {
      listJobs: () => ({ jobs: [{ occupationCode: "22  11\t", employer }] }),
    });
    service(SocialInsuranceService, {
      listDisabilities: () => ({ disabilities: [{ degree: "RASKE_PUUE\n" }] }),
    });
    service(UnemploymentFundService, { listWorkCapacities: () => ({ decisions: [{ code: "Osaline" }] }) });
  });
  expect(await population.readPerson(asked)).toMatchObject({ ...person, givenNames: ["Mari", ""] });
  expect(await population.listCapacityDecisions(asked)).toMatchObject({ decisions: [{ code: "T1" }] });
  expect(await population.listCustodies(asked)).toMatchObject({ holders: [{ type: "H10", person }] });
  expect(await population.readEducation(asked)).toMatchObject({ code: "", display: "Kutse  haridus" });
  expect(await addresses.findAddresses({ adrId: "2100001" })).toMatchObject({
    addresses: [{ ...address, ehak: "", objectType: "MR" }],
  });
  expect(await employment.listJobs(asked)).toMatchObject({
    jobs: [{ occupationCode: "22 11", employer: { registryCode: "10000001", name: "Asutus" } }],
  });
  expect(await socialInsurance.listDisabilities(asked)).toMatchObject({
    disabilities: [{ degree: "RASKE_PUUE" }],
  });
  expect(await unemployment.listWorkCapacities(asked)).toMatchObject({ decisions: [{ code: "Osaline" }] });
});

type IssueInit = MessageInitShape<typeof IssueSchema>;

/** The failure of a question to an adapter that refuses with a status and these issues. */
async function refusal(code: Code, issues: readonly IssueInit[]) {
  const value = { issues: [...issues] };
  const details = issues.length > 0 ? [{ desc: ErrorDetailsSchema, value }] : [];
  return await failing(new ConnectError("no", code, undefined, details));
}

async function failing(error: Error) {
  const { population } = behind(({ service }) =>
    service(PopulationRegisterService, {
      readPerson() {
        throw error;
      },
    }),
  );
  return await failureOf(population.readPerson(asked));
}

describe("an adapter of others that fails without a word that the contract knows", () => {
  it.for<[Code, number]>([
    [Code.Unknown, GrpcStatus.UNKNOWN],
    [Code.Internal, GrpcStatus.UNKNOWN],
    [Code.NotFound, GrpcStatus.UNKNOWN],
    [Code.InvalidArgument, GrpcStatus.UNKNOWN],
    [Code.DeadlineExceeded, GrpcStatus.DEADLINE_EXCEEDED],
    [Code.Unavailable, GrpcStatus.UNAVAILABLE],
    [Code.ResourceExhausted, GrpcStatus.UNAVAILABLE],
    [Code.Unauthenticated, GrpcStatus.UNAVAILABLE],
    [Code.Unimplemented, GrpcStatus.UNAVAILABLE],
  ])("has answered, if not so that it is understood, or is away: status %s", async ([code, status]) => {
    const failure = await refusal(code, []);
    expect([issueCodes(failure), failure.status]).toEqual([["XRR100"], status]);
  });

  it("has details of another kind", async () => {
    const details = [{ desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { reason: "ODD" }) }];
    const failure = await failing(new ConnectError("no", Code.Unknown, undefined, details));
    expect([issueCodes(failure), failure.status]).toEqual([["XRR100"], GrpcStatus.UNKNOWN]);
  });

  it.for<[string, IssueInit]>([
    ["without a code", { system: "https://xroad-rr.tehik.ee", text: "no" }],
    ["with blanks as its code", { system: "https://xroad-rr.tehik.ee", code: " ", text: "no" }],
    ["without a system", { code: "XRR200", text: "no" }],
    ["of the index itself", { system: "https://mpi.tehik.ee", code: "MPI-001", text: "no" }],
  ])("has an issue %s", async ([, issue]) => {
    const failure = await refusal(Code.Unavailable, [issue]);
    expect([issueCodes(failure), failure.status]).toEqual([["XRR100"], GrpcStatus.UNAVAILABLE]);
  });
});

it.for<[Code, number]>([
  [Code.Unavailable, GrpcStatus.UNAVAILABLE],
  [Code.DeadlineExceeded, GrpcStatus.DEADLINE_EXCEEDED],
  [Code.Internal, GrpcStatus.UNKNOWN],
])(
  "contact data that an adapter does not take are XRR400 as those that the register refuses: %s",
  async ([code, status]) => {
    const { population } = behind(({ service }) =>
      service(PopulationRegisterService, {
        updateContactData() {
          throw new ConnectError("no", code);
        },
      }),
    );
    const contactData = { personalCode, messageId: "1-2", phones: [], emails: [], addresses: [] };
    const failure = await failureOf(population.updateContactData(contactData));
    expect([issueCodes(failure), failure.status]).toEqual([["XRR400"], status]);
  },
);

describe("an adapter of others that says what its register said", () => {
  const own = { system: "https://xroad-rr.tehik.ee", code: "XRR300", text: "10027 - no", issueType: "" };
  const register = { system: "https://rahvastikuregister.ee", code: "10027", text: "no" };

  it("is understood whatever its status", async () => {
    const failure = await refusal(Code.NotFound, [own, register]);
    expect([issueCodes(failure), failure.status]).toEqual([["XRR300", "10027"], GrpcStatus.UNKNOWN]);
  });

  it("is shown with codes as FHIR has them", async () => {
    const failure = await refusal(Code.NotFound, [own, { ...register, code: " 10027\n" }]);
    expect(issueCodes(failure)).toEqual(["XRR300", "10027"]);
  });

  it("has exceptions only, whatever it calls them, and none that says nothing", async () => {
    const nothing = { system: "", code: "", text: "" };
    const { issues } = await refusal(Code.Unknown, [own, nothing, { ...register, issueType: "Not found" }]);
    const shown = renderIssues(issues, { version: "1.5.0", language: "en", systems: defaultErrorSystems });
    expect(shown.map(({ code, issueType }) => [code, issueType])).toEqual([
      ["XRR300", "exception"],
      ["10027", "exception"],
    ]);
  });
});
