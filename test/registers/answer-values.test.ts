import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PersonAsked, Registers } from "../../src/registers/ports.ts";
import people from "../../src/sandbox/people.json" with { type: "json" };
import { startRegisters } from "./adapters.ts";
import { failureOf, GrpcStatus, issueCodes } from "./register-failures.ts";
import { startStandIn } from "./register-stand-in.ts";

const personalCode = "47605030299";
const anew = { personalCode, noCache: true };
const person = { personalCode, givenNames: ["Mari"], familyName: "Maasikas" };
const address = { adrId: "2100001", text: "Harju maakond, Tallinn, Aia tn 3" };

type Question = (registers: Registers, asked: PersonAsked) => Promise<unknown>;

const questions = {
  person: ({ population }, asked) => population.readPerson(asked),
  capacity: ({ population }, asked) => population.listCapacityDecisions(asked),
  guardianships: ({ population }, asked) => population.listGuardianships(asked),
  relations: ({ population }, asked) => population.listRelations(asked),
  custodies: ({ population }, asked) => population.listCustodies(asked),
  education: ({ population }, asked) => population.readEducation(asked),
  jobs: ({ employment }, asked) => employment.listJobs(asked),
  disabilities: ({ socialInsurance }, asked) => socialInsurance.listDisabilities(asked),
  workCapacities: ({ unemployment }, asked) => unemployment.listWorkCapacities(asked),
} satisfies Record<string, Question>;

const findAddresses: Question = ({ addresses }) => addresses.findAddresses({ text: address.text });

/** Megabytes take a while on a machine that is busy. */
const PATIENT_MS = 60_000;

let standIn: Awaited<ReturnType<typeof startStandIn>>;
let running: Awaited<ReturnType<typeof startRegisters>>;

beforeAll(async () => {
  standIn = await startStandIn();
  running = await startRegisters(standIn.addresses, PATIENT_MS);
});

afterAll(async () => {
  await running.stop();
  await standIn.stop();
});

it("an answer of more than 16 MB is garbage", async () => {
  standIn.says({ addresses: [{ ...address, city: "x".repeat(17 * 1024 * 1024) }] });
  const failure = await failureOf(findAddresses(running.registers, anew));
  expect([issueCodes(failure), failure.status]).toEqual([["XR_ADS-001"], GrpcStatus.UNKNOWN]);
});

it("an answer that is not in UTF-8 is garbage: its letters would be stored as replacement characters", async () => {
  const said = JSON.stringify({ person: { ...person, familyName: "Mägi" } });
  standIn.saysBytes(Buffer.from(said, "latin1"));
  const before = standIn.asked();
  const failure = await failureOf(questions.person(running.registers, anew));
  expect([issueCodes(failure), failure.status]).toEqual([["XRR100"], GrpcStatus.UNKNOWN]);
  standIn.saysBytes(Buffer.from(said, "utf8"));
  await expect(questions.person(running.registers, anew)).resolves.toMatchObject({ familyName: "Mägi" });
  expect(standIn.asked()).toBeGreaterThan(before);
});

it("an answer with millions of rows is refused before they are read", async () => {
  standIn.saysBytes(Buffer.from(`{"jobs":[${"{},".repeat(5_000_000)}{}]}`));
  const before = standIn.asked();
  const startedAt = performance.now();
  const failure = await failureOf(questions.jobs(running.registers, anew));
  expect([issueCodes(failure), failure.status]).toEqual([["XR_TOR-001"], GrpcStatus.UNKNOWN]);
  expect(standIn.asked() - before).toBe(1);
  expect(performance.now() - startedAt).toBeLessThan(PATIENT_MS / 2);
});

describe("an answer with a value that cannot be", () => {
  it.for<[string, Question, unknown, string]>([
    ["a sex that is none", questions.person, { person: { ...person, sex: "M" } }, "XRR100"],
    [
      "a birth date as it is written in Estonia",
      questions.person,
      { person: { ...person, birthDate: "03.05.1976" } },
      "XRR100",
    ],
    [
      "a birth date that no year has",
      questions.person,
      { person: { ...person, birthDate: "1976-02-30" } },
      "XRR100",
    ],
    ["a year of birth alone", questions.person, { person: { ...person, birthDate: "1976" } }, "XRR100"],
    [
      "a death with its time",
      questions.person,
      { person: { ...person, deathDate: "2026-01-02T00:00:00" } },
      "XRR100",
    ],
    ["a birth in the future", questions.person, { person: { ...person, birthDate: "2199-01-01" } }, "XRR100"],
    ["a death in the future", questions.person, { person: { ...person, deathDate: "2199-01-01" } }, "XRR100"],
    [
      "a death before birth",
      questions.person,
      { person: { ...person, birthDate: "1976-05-03", deathDate: "1976-05-02" } },
      "XRR100",
    ],
    [
      "a decision with such an end",
      questions.capacity,
      { decisions: [{ code: "T1", period: { end: "01.01.2039" } }] },
      "XRR100",
    ],
    [
      "a guardianship with such a beginning",
      questions.guardianships,
      { wards: [{ person, period: { start: "1.1.2039" } }] },
      "XRR100",
    ],
    [
      "a custody that ends before it starts",
      questions.custodies,
      { holders: [{ type: "H10", person, period: { start: "2020-01-02", end: "2020-01-01" } }] },
      "XRR100",
    ],
    [
      "a disability that ends before it starts",
      questions.disabilities,
      { disabilities: [{ degree: "RASKE_PUUE", period: { start: "2030-01-01", end: "2020-01-01" } }] },
      "XSKA100",
    ],
    [
      "a relative of such a sex",
      questions.relations,
      { relations: [{ type: "MTH", person: { ...person, sex: "N" } }] },
      "XRR100",
    ],
    [
      "a child of such a birth",
      questions.custodies,
      { dependants: [{ type: "H10", person: { ...person, birthDate: "-" } }] },
      "XRR100",
    ],
    [
      "a name with a sign that no text of FHIR has",
      questions.person,
      { person: { ...person, givenNames: ["Mari", "An\u0000u"] } },
      "XRR100",
    ],
    [
      "a name with half a letter",
      questions.person,
      { person: { ...person, familyName: "Maa\ud83dsikas" } },
      "XRR100",
    ],
    ["a level with such a sign", questions.education, { code: "1", display: "Põhi\u0001haridus" }, "XRR100"],
    [
      "a residence with such a sign",
      questions.person,
      { person: { ...person, residence: { ...address, city: "Tal\u001blinn" } } },
      "XRR100",
    ],
    ["a rate with a comma", questions.jobs, { jobs: [{ rate: "0,5" }] }, "XR_TOR-001"],
    ["a rate of nothing", questions.jobs, { jobs: [{ rate: "0.0" }] }, "XR_TOR-001"],
    ["a rate above 1", questions.jobs, { jobs: [{ rate: "1.5" }] }, "XR_TOR-001"],
    [
      "a disability with such an end",
      questions.disabilities,
      { disabilities: [{ period: { end: "31/12/2030" } }] },
      "XSKA100",
    ],
    [
      "a capacity for work with such an end",
      questions.workCapacities,
      { decisions: [{ period: { end: "lõpmatu" } }] },
      "XTK100",
    ],
    ["more jobs than anybody has", questions.jobs, { jobs: Array(1_001).fill({}) }, "XR_TOR-001"],
    [
      "more names than anybody has",
      questions.person,
      { person: { ...person, givenNames: Array(1_001).fill("Mari") } },
      "XRR100",
    ],
    [
      "more addresses than a text can mean",
      findAddresses,
      { addresses: Array(10_001).fill(address) },
      "XR_ADS-001",
    ],
    ["an address without anything", findAddresses, { addresses: [{}] }, "XR_ADS-001"],
    [
      "an address without an id",
      findAddresses,
      { addresses: [address, { ...address, adrId: "" }] },
      "XR_ADS-001",
    ],
    [
      "an address with a sign that no text of FHIR has",
      findAddresses,
      { addresses: [{ ...address, city: "Tal\u0001linn" }] },
      "XR_ADS-001",
    ],
    ["an address without a text", findAddresses, { addresses: [{ ...address, text: " " }] }, "XR_ADS-001"],
  ])("is garbage: %s", async ([, question, answer, code]) => {
    standIn.says(answer);
    const failure = await failureOf(question(running.registers, anew));
    expect([issueCodes(failure), failure.status]).toEqual([[code], GrpcStatus.UNKNOWN]);
  });

  it("is not kept: the next who asks gets the right one", async () => {
    const asked = { personalCode, noCache: false };
    standIn.says({ jobs: [{ rate: "0,5" }] });
    await failureOf(questions.jobs(running.registers, asked));
    standIn.says({ jobs: [{ rate: "0.5" }] });
    await expect(questions.jobs(running.registers, asked)).resolves.toMatchObject({
      jobs: [{ rate: "0.5" }],
    });
  });

  it.for<[string, object]>([
    ["a sex that is none", { ...person, sex: "M" }],
    ["another person", { ...person, personalCode: "38010130257" }],
  ])(
    "is asked for once, and does not shut the register for others, however often it comes: %s",
    async ([, wrong]) => {
      standIn.says({ person: wrong });
      const before = standIn.asked();
      for (let call = 0; call < 12; call++) await failureOf(questions.person(running.registers, anew));
      expect(standIn.asked() - before).toBe(12);
      standIn.says({ person });
      await expect(questions.person(running.registers, anew)).resolves.toMatchObject(person);
    },
  );
});

describe("an answer whose values can be", () => {
  it.for<[string, Question, Record<string, unknown>]>([
    [
      "values that are not known",
      questions.person,
      { person: { ...person, sex: "", birthDate: "", deathDate: "" } },
    ],
    [
      "a name in two lines",
      questions.person,
      { person: { ...person, familyName: "Maasikas\n-Vaarikas", givenNames: ["Ma\tri"] } },
    ],
    ["a leap day", questions.person, { person: { ...person, sex: "female", birthDate: "1976-02-29" } }],
    [
      "a period without days",
      questions.capacity,
      { decisions: [{ code: "T1", period: { start: "", end: "" } }] },
    ],
    [
      "a period of one day",
      questions.capacity,
      { decisions: [{ code: "T1", period: { start: "2020-01-01", end: "2020-01-01" } }] },
    ],
    ["the whole of a rate", questions.jobs, { jobs: [{ rate: "1.00" }, { rate: "1" }, { rate: "" }] }],
    ["a part of a rate", questions.jobs, { jobs: [{ rate: "0.125" }] }],
    ["many jobs", questions.jobs, { jobs: Array(1_000).fill({ rate: "1" }) }],
    ["no address", findAddresses, { addresses: [] }],
    ["a text of many addresses", findAddresses, { addresses: Array(1_001).fill(address) }],
    ["an address", findAddresses, { addresses: [address] }],
  ])("is taken: %s", async ([, question, answer]) => {
    standIn.says(answer);
    await expect(question(running.registers, anew)).resolves.toMatchObject(answer["person"] ?? answer);
  });

  it("is what the sandbox says of everybody", async () => {
    const sandbox = await startRegisters({}, PATIENT_MS);
    const { registers } = sandbox;
    try {
      for (const { personalCode: code } of people.people) {
        const asked = { personalCode: code, noCache: true };
        await Promise.all(Object.values(questions).map((question) => question(registers, asked)));
      }
      for (const { adrId } of people.addresses) await registers.addresses.findAddresses({ adrId });
    } finally {
      await sandbox.stop();
    }
  });
});
