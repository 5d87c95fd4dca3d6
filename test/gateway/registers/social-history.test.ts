import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import people from "../../../src/sandbox/people.json" with { type: "json" };
import { startChangingSandbox } from "../../registers/changing-sandbox.ts";
import { sandboxControl } from "../../registers/sandbox-control.ts";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";
import { everybody, observationsOf, RR, UNKNOWN_CODE, warningsOf } from "./register-answers.ts";

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;

beforeAll(async () => {
  service = await startService({ registerTimeout: 60_000 });
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

describe("the social-history operations", () => {
  it("demand a reason, and a patient with a personal code", async () => {
    const code = everybody[0]?.personalCode ?? "";
    await lookUp(code);
    const path = `${service.url}/fhir/Patient/$education?patient.identifier=${code}`;
    expect(codesOf(await send(path))).toEqual(["MPI-032"]);
    expect(codesOf(await send(path, { headers: { "x-road-id": "" } }))).toEqual(["MPI-061", "MPI-032"]);
    expect(codesOf(await get("Patient/$education"))).toEqual(["MPI-078"]);
    expect(codesOf(await get("Patient/$education?patient=Patient/999999"))).toEqual(["MPI-021"]);
    expect(codesOf(await get(`Patient/$education?patient.identifier=${UNKNOWN_CODE}`))).toEqual(["MPI-045"]);
  });

  it("pass over what they do not know, where that is wished, and nothing else", async () => {
    const code = personWith("ward of a person");
    const lenient = { prefer: "handling=lenient" };
    const found = await lookUp(`${code}&nocache=true&colour=red`, lenient);
    expect(found.status).toBe(200);
    const [{ resource }] = found.json.entry;
    const bare = `Patient/$lookup?identifier.value=${code}&colour=red`;
    expect((await get(bare, lenient)).json.entry[0].resource.id).toBe(resource.id);
    for (const patient of [
      `patient=Patient/${resource.id}`,
      `patient.identifier=${code}`,
      `patient:identifier=${code}`,
    ]) {
      const path = `Patient/$legal-guardian?${patient}&legal-status=58626002&nocache=true&colour=red`;
      expect(observationsOf(await get(path, lenient))).toHaveLength(1);
      expect(codesOf(await get(path))).toEqual(["MPI-015"]);
    }
    const wrong = `Patient/$education?patient.identifier=${code}&nocache=perhaps&colour=red`;
    expect(codesOf(await get(wrong, lenient))).toEqual(["MPI-015"]);
  });

  it.each([
    ["legal-status", "nocache="],
    ["power-of-attorney", "guardian-only="],
    ["legal-relationship", "relationship-type="],
    ["legal-relationship", "relationship-type=MTH,"],
    ["legal-relationship", "custody-type="],
  ])(
    "$%s with an empty value (%s) is refused, not done as if it were not there",
    async (operation, query) => {
      const code = personWith("capacity T1");
      await lookUp(code);
      const answer = await get(`Patient/$${operation}?patient.identifier=${code}&${query}`);
      expect(codesOf(answer)).toEqual(["MPI-015"]);
      expect(answer.json.issue[0].expression).toEqual([`http.${query.split("=")[0]}`]);
    },
  );

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

  it("$legal-status shows no capacity that would begin after the death of a child", async () => {
    const sandbox = await startChangingSandbox();
    const { personalCode: code, birthDate } = people.people[0] ?? { personalCode: "", birthDate: "" };
    const deathDate = `${Number(birthDate.slice(0, 4)) + 9}${birthDate.slice(4)}`;
    await sandbox.change((person) => (person.personalCode === code ? { ...person, deathDate } : person));
    const other = await startService(sandbox.settings);
    try {
      const path = `Patient/$lookup?identifier=${code}&source=${RR}`;
      expect((await send(`${other.url}/fhir/${path}`, { headers })).status).toBe(200);
      const asked = `Patient/$legal-status?patient.identifier=${code}`;
      const answer = await send(`${other.url}/fhir/${asked}`, { headers });
      expect(observationsOf(answer)).toEqual([]);
      expect(warningsOf(answer)).toHaveLength(1);
    } finally {
      await other.stop();
      await sandbox.stop();
    }
  });

  it("compare the codes of a register that puts blanks behind them as those that they are", async () => {
    const sandbox = await startChangingSandbox();
    await sandbox.change(({ capacity, custody, relations, ...person }) => ({
      ...person,
      ...(capacity && { capacity: capacity.map((one) => ({ ...one, code: `${one.code} ` })) }),
      ...(custody && { custody: custody.map((one) => ({ ...one, type: `${one.type} ` })) }),
      ...(relations && { relations: relations.map((one) => ({ ...one, type: `${one.type} ` })) }),
    }));
    const other = await startService(sandbox.settings);
    const shown = async (operation: string, code: string, query = "") => {
      await send(`${other.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}`, { headers });
      const path = `Patient/$${operation}?patient.identifier=${code}${query}`;
      return observationsOf(await send(`${other.url}/fhir/${path}`, { headers }));
    };
    try {
      expect(await shown("legal-status", personWith("capacity T1"))).toHaveLength(1);
      const minor = personWith("custody H11; minor");
      expect(await shown("power-of-attorney", minor)).toHaveLength(2);
      expect(await shown("legal-relationship", minor)).toHaveLength(2);
      expect(await shown("legal-relationship", minor, "&relationship-type=MTH")).toHaveLength(1);
    } finally {
      await other.stop();
      await sandbox.stop();
    }
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
    const loinc = "&legal-status=http://loinc.org|58626002";
    expect(codesOf(await ask("legal-guardian", ward, loinc))).toEqual(["MPI-048"]);
    const both = "&legal-status=58626002,365569001";
    expect(codesOf(await ask("legal-guardian", ward, both))).toEqual(["MPI-075"]);
    const twice = "&legal-status=58626002&legal-status=365569001";
    expect(codesOf(await ask("legal-guardian", ward, twice))).toEqual(["MPI-080"]);
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

  it("$power-of-attorney says beside a missing personal code that guardians alone are of minors", async () => {
    const stored = async (birthDate: string) => {
      const body = JSON.stringify(inventedPatient({ birthDate }));
      return (await send(`${service.url}/fhir/Patient`, { method: "POST", body })).json.id;
    };
    const guardians = async (id: string) =>
      codesOf(await get(`Patient/$power-of-attorney?patient=Patient/${id}&guardian-only=true`));
    expect(await guardians(await stored("1980-01-01"))).toEqual(["MPI-022", "MPI-064"]);
    expect(await guardians(await stored("2024-01-01"))).toEqual(["MPI-022"]);
  });

  it("$legal-relationship shows a relation for each type of custody", async () => {
    const minor = personWith("custody H11; minor");
    const both = observationsOf(await ask("legal-relationship", minor));
    expect(both).toHaveLength(2);
    const mothers = observationsOf(await ask("legal-relationship", minor, "&relationship-type=MTH"));
    expect(mothers.map((one: (typeof both)[0]) => one.valueCodeableConcept.coding[0].code)).toEqual(["MTH"]);
    expect(observationsOf(await ask("legal-relationship", minor, "&custody-type=H20"))).toEqual([]);
    const ofSystem = (system: string) => `&relationship-type=${encodeURIComponent(`${system}|MTH`)}`;
    const roleCode = "http://terminology.hl7.org/CodeSystem/v3-RoleCode";
    expect(observationsOf(await ask("legal-relationship", minor, ofSystem(roleCode)))).toHaveLength(1);
    expect(observationsOf(await ask("legal-relationship", minor, ofSystem("http://wrong.example")))).toEqual(
      [],
    );
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
