import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import people from "../../src/sandbox/people.json" with { type: "json" };
import { sandboxControl } from "../registers/sandbox-control.ts";
import { type RunningService, startService } from "../service.ts";
import { type HttpAnswer, send } from "./http-client.ts";

const RR = "https://rahvastikuregister.ee";
const NI = "https://fhir.ee/sid/pid/est/ni|";
const UNKNOWN_CODE = "60001019906";

interface Person {
  readonly note?: string;
  readonly personalCode: string;
  readonly familyName: string;
  readonly deathDate?: string;
}
const everybody: readonly Person[] = people.people;

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;

beforeAll(async () => {
  service = await startService({ registerTimeout: 2_000 });
  control = sandboxControl(service.sandboxUrl);
});

afterEach(async () => {
  await control.heal();
});

afterAll(async () => {
  await service.stop();
});

const headers = { "x-road-issue": "visit" };

function get(path: string, more: Record<string, string> = {}, base = "/fhir"): Promise<HttpAnswer> {
  return send(`${service.url}${base}/${path}`, { headers: { ...headers, ...more } });
}

function lookUp(code: string, more: Record<string, string> = {}, base = "/fhir"): Promise<HttpAnswer> {
  return get(`Patient/$lookup?identifier=${code}&source=${RR}`, more, base);
}

function personWith(note: string | RegExp): string {
  const found = everybody.find((person) => new RegExp(note).test(person.note ?? ""));
  if (!found) throw new Error(`Nobody has the note ${note}.`);
  return found.personalCode;
}

/** Stores the person and asks the operation of it. */
async function ask(operation: string, code: string, query = ""): Promise<HttpAnswer> {
  expect((await lookUp(code)).status).toBe(200);
  return get(`Patient/$${operation}?patient.identifier=${code}&nocache=true${query}`);
}

function codesOf({ json }: HttpAnswer): string[] {
  return json.issue.map(
    (issue: { details: { coding: { code: string }[] } }) => issue.details.coding[0]?.code,
  );
}

function observationsOf({ json }: HttpAnswer) {
  return (json.entry ?? [])
    .map((entry: { resource: { resourceType: string } }) => entry.resource)
    .filter((resource: { resourceType: string }) => resource.resourceType === "Observation");
}

function warningsOf({ json }: HttpAnswer): string[] {
  const outcomes = (json.entry ?? [])
    .map((entry: { resource: { resourceType: string } }) => entry.resource)
    .filter((resource: { resourceType: string }) => resource.resourceType === "OperationOutcome");
  return outcomes.flatMap((outcome: { issue: { details: { coding: { code: string }[] } }[] }) =>
    outcome.issue.map((issue) => issue.details.coding[0]?.code),
  );
}

describe("Patient/$lookup with the population register as source", () => {
  it("stores the person, and says so in the history", async () => {
    const [person] = people.people;
    const answer = await lookUp(person?.personalCode ?? "");
    expect(answer.status).toBe(200);
    const [{ resource }] = answer.json.entry;
    expect(resource).toMatchObject({
      identifier: [{ system: "https://fhir.ee/sid/pid/est/ni", value: person?.personalCode }],
      active: true,
      name: [{ use: "official", family: person?.familyName, given: person?.givenNames }],
      gender: person?.sex,
      birthDate: person?.birthDate,
      meta: { versionId: "1", source: RR },
    });
    expect(resource.address[0]).toMatchObject({
      extension: expect.arrayContaining([
        { url: "http://hl7.org/fhir/StructureDefinition/address-official", valueBoolean: true },
      ]),
      country: "EE",
    });
    expect(resource.telecom[0].value).toBe(person?.phone);
    const again = await lookUp(person?.personalCode ?? "", { "cache-control": "no-cache" });
    expect(again.json.entry[0].resource).toEqual(resource);
  });

  it("takes Parameters by POST alike", async () => {
    const parameter = [
      { name: "identifier", valueIdentifier: { system: NI.slice(0, -1), value: everybody[1]?.personalCode } },
      { name: "source", valueUri: RR },
    ];
    const body = JSON.stringify({ resourceType: "Parameters", parameter });
    const answer = await send(`${service.url}/fhir/Patient/$lookup`, { method: "POST", body });
    expect(answer.json.entry[0].resource.name[0].family).toBe(everybody[1]?.familyName);
  });

  it.for([
    ["/fhir", 404, ["MPI-089", "XRR300", "10027"]],
    ["/1.1.1/fhir", 502, ["MPI-029", "XRR300", "10027"]],
  ] as const)("says in %s that the register does not know the person", async ([base, status, codes]) => {
    const answer = await lookUp(UNKNOWN_CODE, {}, base);
    expect(answer.status).toBe(status);
    expect(codesOf(answer)).toEqual(codes);
  });

  it("asks the index alone when no source is named", async () => {
    const code = everybody[5]?.personalCode ?? "";
    const before = await get(`Patient/$lookup?identifier=${code}`);
    expect(before.json).toEqual({ resourceType: "Bundle", type: "collection" });
    await lookUp(code);
    const after = await get(`Patient/$lookup?identifier=${NI}${code}`);
    expect(after.json.entry).toHaveLength(1);
  });

  it.for([
    ["Patient/$lookup", 400, "MPI-078"],
    ["Patient/$lookup?identifier=37002010019&source=https://other.example", 400, "MPI-077"],
    ["Patient/$lookup?identifier=37002010018", 400, "MPI-044"],
    [`Patient/$lookup?identifier=https://fhir.ee/sid/pid/fin/ni|1&source=${RR}`, 422, "MPI-022"],
  ] as const)("refuses %s", async ([path, status, code]) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(codesOf(answer)).toContain(code);
  });
});

describe("a search by an Estonian personal code that the index does not know", () => {
  it("stores the person once for 200 who search at once", async () => {
    const code = everybody[9]?.personalCode ?? "";
    await control.forgetCalls();
    const found = await Promise.all(
      Array.from({ length: 200 }, () => get(`Patient?identifier=${NI}${code}`)),
    );
    const ids = new Set(found.map(({ json }) => json.entry[0].resource.id));
    expect(ids.size).toBe(1);
    expect(found.every(({ json }) => json.total === 1)).toBe(true);
    expect(await control.count("rr/person")).toBe(1);
    const [id] = ids;
    expect((await get(`Patient/${id}/_history`)).json.total).toBe(1);
  });

  it("finds nobody, and says so, when the register does not know the person either", async () => {
    const answer = await get(`Patient?identifier=${NI}${UNKNOWN_CODE}`);
    expect(answer.status).toBe(200);
    expect(answer.json.total).toBe(0);
    expect(answer.json.entry[0].search.mode).toBe("outcome");
    expect(warningsOf(answer)).toEqual(["MPI-089"]);
  });

  it("asks no register for patient-identifier", async () => {
    await control.forgetCalls();
    await get(`Patient?patient-identifier=${NI}${everybody[11]?.personalCode}`);
    expect(await control.count("rr/person")).toBe(0);
  });

  it("finds those whom the register knows by external-system-presence, which is not allowed alone", async () => {
    const code = everybody[9]?.personalCode ?? "";
    const answer = await get(`Patient?identifier=${NI}${code}&external-system-presence=${RR}`);
    expect(answer.json.total).toBe(1);
    expect((await get(`Patient?external-system-presence=${RR}`)).status).toBe(400);
  });

  it.for([
    [{ drop: true }, 503],
    [{ garbage: true }, 502],
    [{ delayMs: 60_000 }, 504],
  ] as const)("fails with a chain of two when the register is silent: %o", async ([fault, status]) => {
    await control.fail({ register: "rr", ...fault });
    const answer = await get(`Patient?identifier=${NI}${everybody[13]?.personalCode}`);
    expect(answer.status).toBe(status);
    expect(codesOf(answer)).toEqual(["MPI-029", "XRR100"]);
  });
});

describe("the social-history operations", () => {
  it("demand a reason, and a patient with a personal code", async () => {
    const code = everybody[0]?.personalCode ?? "";
    await lookUp(code);
    const path = `${service.url}/fhir/Patient/$education?patient.identifier=${code}`;
    expect(codesOf(await send(path))).toEqual(["MPI-032"]);
    expect(codesOf(await get("Patient/$education"))).toEqual(["MPI-078"]);
    expect(codesOf(await get("Patient/$education?patient=Patient/999999"))).toEqual(["MPI-021"]);
    expect(codesOf(await get(`Patient/$education?patient.identifier=${UNKNOWN_CODE}`))).toEqual(["MPI-045"]);
  });

  it("$legal-status shows a decision in force", async () => {
    const answer = await ask("legal-status", personWith("capacity T1"));
    const [observation] = observationsOf(answer);
    expect(observation).toMatchObject({
      meta: { profile: ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-socialhistory-legal-status"] },
      status: "final",
      code: { coding: [{ system: "http://snomed.info/sct", code: "8625004" }] },
      valueCodeableConcept: {
        coding: [{ system: "https://fhir.ee/CodeSystem/teovoime-staatus", code: "T1" }],
      },
      effectivePeriod: { start: "2020-03-01" },
    });
    expect(observation.id).toBeUndefined();
  });

  it("$legal-status computes T0 from the 18th birthday, and nothing for a minor", async () => {
    const [father] = people.people;
    const [observation] = observationsOf(await ask("legal-status", father?.personalCode ?? ""));
    const year = Number(father?.birthDate.slice(0, 4)) + 18;
    expect(observation.effectivePeriod).toEqual({ start: `${year}${father?.birthDate.slice(4)}` });
    expect(observationsOf(await ask("legal-status", personWith("minor")))).toEqual([]);
  });

  it("$legal-status refuses a code that nobody knows", async () => {
    const answer = await ask("legal-status", personWith("MPI-092"));
    expect(answer.status).toBe(502);
    expect(codesOf(answer)).toEqual(["MPI-092"]);
  });

  it("$legal-status fails with a chain of four, in 1.1.1 of three", async () => {
    const code = personWith("capacity T1");
    await lookUp(code);
    await control.fail({ register: "rr", code: "10900" });
    const path = `Patient/$legal-status?patient.identifier=${code}&nocache=true`;
    expect(codesOf(await get(path))).toEqual(["MPI-020", "MPI-029", "XRR200", "10900"]);
    expect(codesOf(await get(path, {}, "/1.1.1/fhir"))).toEqual(["MPI-029", "XRR200", "10900"]);
  });

  it("$disability fails with MPI-030, in 1.1.1 with MPI-020 before it", async () => {
    const code = personWith("disability");
    await lookUp(code);
    await control.fail({ register: "ska", code: "5", message: "no" });
    const path = `Patient/$disability?patient.identifier=${code}&nocache=true`;
    expect(codesOf(await get(path))).toEqual(["MPI-030", "XSKA200", "5"]);
    expect(codesOf(await get(path, {}, "/1.1.1/fhir"))).toEqual(["MPI-020", "MPI-030", "XSKA200", "5"]);
  });

  it("$disability and $incapacity-for-work show decisions with their periods", async () => {
    const [disability] = observationsOf(
      await ask("disability", personWith("disability SYGAV_PUUE$|SYGAV_PUUE;")),
    );
    expect(disability).toMatchObject({
      valueCodeableConcept: { coding: [{ code: "SYGAV_PUUE" }] },
      effectivePeriod: { start: "2023-05-01", end: "2039-04-30" },
    });
    const capacities = observationsOf(
      await ask("incapacity-for-work", personWith("capacity for work Taielik")),
    );
    expect(capacities).toHaveLength(1);
    expect(capacities[0].valueCodeableConcept.coding[0].code).toBe("Taielik");
    const ended = await ask("incapacity-for-work", personWith("decided, ended"));
    expect(observationsOf(ended)).toEqual([]);
  });

  it("$legal-guardian shows guardians and wards, and wants to know which", async () => {
    const ward = personWith("ward of a person");
    const [guardian] = observationsOf(await ask("legal-guardian", ward, "&legal-status=58626002"));
    const [performer] = guardian.contained;
    expect(performer).toMatchObject({ resourceType: "RelatedPerson", id: "performer" });
    const guardianCode = performer.identifier[0].value;
    const wards = observationsOf(await ask("legal-guardian", guardianCode, "&legal-status=365569001"));
    const codes = wards.map((one: typeof guardian) => one.contained[0].identifier[0].value);
    expect(codes).toContain(ward);
    const municipal = await ask(
      "legal-guardian",
      personWith("ward of a municipality"),
      "&legal-status=58626002",
    );
    expect(observationsOf(municipal)[0].contained[0].resourceType).toBe("Organization");
    expect(codesOf(await ask("legal-guardian", ward))).toEqual(["MPI-047"]);
    expect(codesOf(await ask("legal-guardian", ward, "&legal-status=1"))).toEqual(["MPI-048"]);
  });

  it("$power-of-attorney shows who has custody of a minor, and an adult's minors", async () => {
    const minor = personWith("custody H11; minor");
    const holders = observationsOf(await ask("power-of-attorney", minor, "&guardian-only=true"));
    expect(holders).toHaveLength(2);
    expect(holders[0].valueCodeableConcept.coding[0].code).toBe("H11");
    const parent = holders[0].contained[0].identifier[0].value;
    const dependants = observationsOf(await ask("power-of-attorney", parent));
    const codes = dependants.map((one: (typeof holders)[0]) => one.contained[0].identifier[0].value);
    expect(codes).toContain(minor);
    expect(codesOf(await ask("power-of-attorney", parent, "&guardian-only=true"))).toEqual(["MPI-064"]);
    expect((await ask("power-of-attorney", parent, "&guardian-only=false")).status).toBe(200);
  });

  it("$legal-relationship shows a relation for each type of custody", async () => {
    const minor = personWith("custody H11; minor");
    const both = observationsOf(await ask("legal-relationship", minor));
    expect(both).toHaveLength(2);
    const mothers = observationsOf(await ask("legal-relationship", minor, "&relationship-type=MTH"));
    expect(mothers.map((one: (typeof both)[0]) => one.valueCodeableConcept.coding[0].code)).toEqual(["MTH"]);
    expect(observationsOf(await ask("legal-relationship", minor, "&custody-type=H20"))).toEqual([]);
  });

  it("$education, $occupation and $name answer from their registers", async () => {
    const [father] = people.people;
    const code = father?.personalCode ?? "";
    const [education] = observationsOf(await ask("education", code));
    expect(education.valueCodeableConcept.coding[0]).toMatchObject({ code: father?.education?.code });
    const [job] = observationsOf(await ask("occupation", code));
    expect(job.contained[0].identifier[0]).toEqual({
      system: "https://fhir.ee/sid/org/est/br",
      value: father?.jobs?.[0]?.employer.registryCode,
    });
    expect(job.component[1].valueQuantity.value).toBe(Number(father?.jobs?.[0]?.rate));
    const name = await ask("name", code);
    expect(name.json).toMatchObject({
      resourceType: "Parameters",
      parameter: [{ name: "name", valueHumanName: { family: father?.familyName } }],
    });
  });

  it("warn that the patient has died", async () => {
    const code = everybody.find(({ deathDate }) => deathDate)?.personalCode ?? "";
    for (const operation of ["legal-status", "incapacity-for-work", "education", "disability"]) {
      expect(warningsOf(await ask(operation, code))).toEqual(["MPI-101"]);
    }
    const name = await ask("name", code);
    expect(name.json.parameter[1]).toMatchObject({
      name: "warning",
      resource: { resourceType: "OperationOutcome" },
    });
  });
});
