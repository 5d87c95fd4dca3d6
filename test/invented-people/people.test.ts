import { describe, expect, test } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { RuleSetting } from "../../src/content-rules/index.ts";
import { defaultErrorSystems } from "../../src/errors/index.ts";
import { parseIdentifierSystem } from "../../src/identifiers/index.ts";
import { inventPeople, inventPerson } from "../../src/invented-people/index.ts";
import { acceptNewPatient } from "../../src/patients/rules/index.ts";
import { checkStructure } from "../../src/structure/index.ts";

const people = inventPeople(7, 0, 4000);
const setting: RuleSetting = { now: new Date("2026-11-21T12:00:00Z"), indexSystem: defaultErrorSystems.MPI };

function systemsOf(index: number) {
  return people[index]?.identifier.map(({ system }) => parseIdentifierSystem(system ?? "")) ?? [];
}

function isEstonian(index: number): boolean {
  return systemsOf(index).some((system) => system?.country === "est" && system.type === "ni");
}

describe("invented people", () => {
  test("are the same for the same seed, and others for another", () => {
    expect(inventPeople(7, 0, 4000)).toEqual(people);
    expect(inventPerson(8, 12)).not.toEqual(people[12]);
  });

  test("do not depend on how many others are invented", () => {
    expect(inventPerson(7, 3999)).toEqual(people[3999]);
  });

  test("keep the rules; what only the population register may bring is all that a client could not", () => {
    for (const [index, person] of people.entries()) {
      expect(checkStructure(PatientSchema, person)).toEqual([]);
      const meanings = acceptNewPatient(person, setting).faults.map(({ meaning }) => meaning);
      expect(meanings).toEqual(isEstonian(index) ? ["ESTONIAN_PATIENT_NOT_CREATABLE"] : []);
    }
  });

  test("have identifiers that nobody else has", () => {
    const identifiers = people.flatMap(({ identifier }) =>
      identifier.map(({ system, value }) => `${system}|${value}`),
    );
    expect(new Set(identifiers).size).toBe(identifiers.length);
  });

  test("are of all kinds: Estonian, foreign with documents of several countries, unknown", () => {
    const all = [...people.keys()];
    const foreign = all.filter((index) => !isEstonian(index) && systemsOf(index).length > 1);
    const ofTwoCountries = foreign.filter(
      (index) => new Set(systemsOf(index).map((system) => system?.country)).size > 1,
    );
    const unknown = people.filter(({ meta }) => meta?.profile[0]?.endsWith("ee-mpi-patient-unknown"));
    expect(all.filter(isEstonian).length).toBeGreaterThan(2500);
    expect(foreign.length).toBeGreaterThan(200);
    expect(ofTwoCountries.length).toBeGreaterThan(20);
    expect(unknown.length).toBeGreaterThan(100);
  });
});
