import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  type Custody,
  CustodySchema,
  type Guardianship,
  GuardianshipSchema,
  ListCustodiesResponseSchema,
  ListGuardianshipsResponseSchema,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { ObservationService } from "#proto/patientindex/v1/observation_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import type { Asked } from "../../src/access/asked/rpc.ts";
import {
  askedBy,
  type ConsumerReach,
  legalRepresentation,
  refuseOutOfReach,
} from "../../src/access/index.ts";
import type { Caller } from "../../src/call/caller.ts";
import { fault, GrpcStatus, MpiError } from "../../src/errors/index.ts";
import type { PopulationRegister } from "../../src/registers/ports.ts";
import { RegisterFailure } from "../../src/registers/ports.ts";
import { callerWith } from "./callers.ts";

const MOTHER = "48608050341";
const CHILD = "61801010001";
const ADULT = "39503080128";
const STRANGER = "37001150096";
const today = new Date("2026-03-10T10:00:00Z");

/** Patients by personal code; the mother's record is linked with 5. */
const holders: Readonly<Record<string, bigint>> = { [MOTHER]: 1n, [CHILD]: 2n, [ADULT]: 3n, [STRANGER]: 4n };

interface Register {
  readonly custodies?: readonly Custody[];
  readonly guardians?: readonly Guardianship[];
  readonly failure?: Error;
}

/** The index, before a register that answers so; `asked` are the questions that it was asked, `lookUps` those of the index. */
function reachWith({ custodies = [], guardians = [], failure }: Register = {}) {
  const asked: string[] = [];
  const lookUps: string[] = [];
  const answered = async <Answer>(question: string, answer: Answer) => {
    asked.push(question);
    if (failure) throw failure;
    return answer;
  };
  const population: Partial<PopulationRegister> = {
    listCustodies: ({ personalCode }) =>
      answered(
        `custodies of ${personalCode}`,
        create(ListCustodiesResponseSchema, { holders: [...custodies] }),
      ),
    listGuardianships: ({ personalCode }) =>
      answered(
        `guardians of ${personalCode}`,
        create(ListGuardianshipsResponseSchema, { guardians: [...guardians] }),
      ),
  };
  const reach: ConsumerReach = {
    isLegalRepresentative: legalRepresentation(population as PopulationRegister, () => today),
    patients: {
      async holders(tokens) {
        lookUps.push("holders");
        return tokens.flatMap(({ value }) => holders[value] ?? []);
      },
      async group(id) {
        lookUps.push("group");
        return id === 1n || id === 5n ? [1n, 5n] : [id];
      },
    },
  };
  return { reach, asked, lookUps };
}

function custodyOf(type: string, period: { start?: string; end?: string } = {}, holder = MOTHER): Custody {
  return create(CustodySchema, { type, person: { personalCode: holder }, period });
}

function guardianshipOf(period: { start?: string; end?: string }, holder = MOTHER): Guardianship {
  return create(GuardianshipSchema, {
    party: { case: "person", value: { personalCode: holder } },
    period,
  });
}

/** Whether a caller reaches a patient, or the code by which that is refused. */
async function reaches(
  caller: Caller,
  id: string,
  { reach }: { readonly reach: ConsumerReach } = reachWith(),
): Promise<true | string> {
  const request = create(PatientService.method.readPatient.input, { id });
  return permitted(caller, askedBy(PatientService.method.readPatient, request) ?? [], reach);
}

/** Whether a caller may search for what lies with all of these patients. */
async function reachesAll(caller: Caller, ...ids: readonly string[]): Promise<true | string> {
  return searches(
    caller,
    ids.map((value) => ({ name: "patient", value })),
  );
}

async function searches(
  caller: Caller,
  parameters: { readonly name: string; readonly value: string }[],
): Promise<true | string> {
  const { searchObservations } = ObservationService.method;
  const asked = askedBy(searchObservations, create(searchObservations.input, { parameters })) ?? [];
  return permitted(caller, asked, reachWith().reach);
}

async function permitted(
  caller: Caller,
  asked: readonly Asked[],
  reach: ConsumerReach,
): Promise<true | string> {
  try {
    await refuseOutOfReach(reach, caller, asked);
    return true;
  } catch (error) {
    if (!(error instanceof MpiError)) throw error;
    const [issue] = error.issues;
    return "meaning" in issue ? issue.meaning : issue.code;
  }
}

const REFUSED = "PATIENT_ACCESS_DENIED";
const patient = callerWith({ role: "patient", personalCode: MOTHER });
const parent = callerWith({ role: "legal-representative", personalCode: MOTHER, represented: CHILD });
const guardian = callerWith({ role: "legal-representative", personalCode: MOTHER, represented: ADULT });

describe("a consumer", () => {
  test.each([
    "patient",
    "patient-limited",
    "legal-representative",
    "consent-representative",
    "consent-representative-limited",
  ])("in the role %s reaches their own record, with what is linked with it, and no other", async (role) => {
    const caller = { ...patient, role };
    expect(await reaches(caller, "1")).toBe(true);
    expect(await reaches(caller, "5")).toBe(true);
    expect(await reaches(caller, "4")).toBe(REFUSED);
  });

  test.each(["99", "0", "no-number", ""])("cannot tell the unknown id %j from another's", async (id) => {
    expect(await reaches(patient, id)).toBe(REFUSED);
  });

  test.each(["patient", "legal-representative", "consent-representative"])(
    "in the role %s cannot tell by the time either whether somebody holds an identifier",
    async (role) => {
      const caller = callerWith({ role, personalCode: MOTHER, represented: CHILD });
      const { method } = SocialHistoryService;
      const lookUpsFor = async (value: string) => {
        const { reach, lookUps } = reachWith();
        const parameters = [{ name: "patient.identifier", value }];
        const asked = askedBy(method.listEducations, create(method.listEducations.input, { parameters }));
        await expect(refuseOutOfReach(reach, caller, asked ?? [])).rejects.toThrow(MpiError);
        return lookUps;
      };
      expect(await lookUpsFor("60001019906")).toEqual(await lookUpsFor(STRANGER));
    },
  );

  test("reaches several records when each of them is in reach", async () => {
    const claim = { personalCode: MOTHER, represented: CHILD };
    const representative = callerWith({ role: "consent-representative", ...claim });
    expect(await reachesAll(representative, "1", "2", "5")).toBe(true);
    for (const ids of [
      ["2", "4"],
      ["4", "2"],
      ["1", "4"],
      ["1", "2", "99"],
    ]) {
      expect(await reachesAll(representative, ...ids)).toBe(REFUSED);
    }
  });

  test("reaches by an identifier whom they reach by the id, and nobody else", async () => {
    const ofCode = (code: string) => [
      { name: "patient.identifier", value: `https://fhir.ee/sid/pid/est/ni|${code}` },
    ];
    expect(await searches(patient, ofCode(MOTHER))).toBe(true);
    expect(await searches(patient, ofCode(STRANGER))).toBe(REFUSED);
  });

  test("reaches nothing by a request that names nobody, alone or beside another", async () => {
    expect(await reachesAll(patient)).toBe(REFUSED);
    const { readPatient } = PatientService.method;
    const own = askedBy(readPatient, create(readPatient.input, { id: "1" })) ?? [];
    const open = { interaction: "search Observation", subjects: () => [] } as const;
    const { reach } = reachWith();
    expect(await permitted(patient, own, reach)).toBe(true);
    expect(await permitted(patient, [...own, open], reach)).toBe(REFUSED);
  });

  test("who is no patient of the index reaches nobody", async () => {
    expect(await reaches({ ...patient, personalCode: "60001080208" }, "1")).toBe(REFUSED);
  });

  test("reaches nobody else by the claim, unless the role is a representative's", async () => {
    const claiming = { represented: CHILD, personalCode: MOTHER };
    for (const role of ["patient", "patient-limited"]) {
      const { reach, asked } = reachWith({ custodies: [custodyOf("H10")] });
      expect(await reaches(callerWith({ ...claiming, role }), "2", { reach })).toBe(REFUSED);
      expect(asked).toEqual([]);
    }
    expect(await reaches(callerWith({ ...claiming, role: "consent-representative" }), "2")).toBe(true);
    expect(await reaches(callerWith({ ...claiming, role: "consent-representative-limited" }), "2")).toBe(
      true,
    );
    expect(await reaches(callerWith({ ...claiming, role: "consent-representative" }), "4")).toBe(REFUSED);
  });
});

describe("a legal representative reaches", () => {
  test.each(["H10", "H11", "H12"])("the child by custody %s", async (type) => {
    expect(await reaches(parent, "2", reachWith({ custodies: [custodyOf(type)] }))).toBe(true);
  });

  test.each(["H19", "H20", "H21", "H22", "H9"])("nobody by custody %s", async (type) => {
    expect(await reaches(parent, "2", reachWith({ custodies: [custodyOf(type)] }))).toBe(REFUSED);
  });

  test.each<[string, true | string, { start?: string; end?: string }]>([
    ["that began and has no end", true, { start: "2018-01-01" }],
    ["that begins today", true, { start: "2026-03-10" }],
    ["that ends today", true, { end: "2026-03-10" }],
    ["that begins tomorrow", REFUSED, { start: "2026-03-11" }],
    ["that ended yesterday", REFUSED, { end: "2026-03-09" }],
  ])("somebody by custody or guardianship %s: %s", async (_, expected, period) => {
    const custody = reachWith({ custodies: [custodyOf("H10", period)] });
    const guardianship = reachWith({ guardians: [guardianshipOf(period)] });
    expect(await reaches(parent, "2", custody)).toBe(expected);
    expect(await reaches(guardian, "3", guardianship)).toBe(expected);
  });

  test("no adult by custody, however long its period", async () => {
    expect(await reaches(guardian, "3", reachWith({ custodies: [custodyOf("H10")] }))).toBe(REFUSED);
  });

  test("a minor by guardianship too", async () => {
    expect(await reaches(parent, "2", reachWith({ guardians: [guardianshipOf({})] }))).toBe(true);
  });

  test("nobody whom another, or an organisation, has in care", async () => {
    const ofMunicipality = create(GuardianshipSchema, {
      party: { case: "organization", value: { registryCode: MOTHER } },
    });
    const register = reachWith({
      custodies: [custodyOf("H10", {}, STRANGER)],
      guardians: [guardianshipOf({}, STRANGER), ofMunicipality],
    });
    expect(await reaches(parent, "2", register)).toBe(REFUSED);
  });

  test("nobody without a claim, or whom the register does not know", async () => {
    expect(await reaches({ ...parent, represented: undefined }, "2")).toBe(REFUSED);
    const failure = new RegisterFailure([fault("RR_PERSON_ABSENT")], GrpcStatus.NOT_FOUND, undefined);
    expect(await reaches(parent, "2", reachWith({ failure }))).toBe(REFUSED);
  });

  test("the one in the claim only, and the register is asked of nobody else", async () => {
    const register = reachWith({ custodies: [custodyOf("H10")] });
    expect(await reaches(parent, "4", register)).toBe(REFUSED);
    expect(await reaches(parent, "1", register)).toBe(true);
    expect(register.asked).toEqual([]);
    expect(await reaches(parent, "2", register)).toBe(true);
    expect(register.asked.sort()).toEqual([`custodies of ${CHILD}`, `guardians of ${CHILD}`]);
  });

  test("their own record while the register fails, and of the other is told that it does", async () => {
    const failure = new RegisterFailure([fault("XROAD_RR_SYSTEM_ERROR")], GrpcStatus.UNAVAILABLE, undefined);
    expect(await reaches(parent, "1", reachWith({ failure }))).toBe(true);
    expect(await reaches(parent, "2", reachWith({ failure }))).toBe("RR_INTEGRATION_FAILED");
  });
});
