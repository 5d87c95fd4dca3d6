import { describe, expect, it, test } from "vitest";
import { acceptMaritalStatus } from "../../src/observations/rules/index.ts";
import { acceptChangedPatient, acceptNewPatient } from "../../src/patients/rules/index.ts";
import { acceptRelatedPerson } from "../../src/related-persons/rules/index.ts";
import { maritalStatus, type ObservationInit } from "../observations/examples.ts";
import { type PatientInit, PID, verifiedPatient } from "../patients/examples.ts";
import { contactPerson } from "../related-persons/examples.ts";
import { codes } from "./faults.ts";

const setting = { now: new Date("2026-11-22T12:00:00Z"), indexSystem: "https://mpi.tehik.ee" };
const URL = "https://his.example/extension";

const ofPatient = (changes: PatientInit) => codes(acceptNewPatient(verifiedPatient(changes), setting).faults);
const ofMarriage = (changes: ObservationInit) =>
  codes(acceptMaritalStatus(maritalStatus(changes), { relatedPersons: [spouse] }).faults);

const identifier = { system: `${PID}/fin/ni`, value: "010190-123A" };
const spouse = contactPerson({ id: "70001", active: true, identifier: [identifier] });
const inside = (changes: object) => ({
  contained: [
    {
      resource: { case: "relatedPerson" as const, value: { id: "s", identifier: [identifier], ...changes } },
    },
  ],
  focus: [{ reference: "#s" }],
});

describe("a code that R5 does not have, where R5 binds an element to codes of its own", () => {
  it.each<[string, PatientInit]>([
    [
      "extension[0].value.use",
      { extension: [{ url: URL, value: { case: "valueIdentifier", value: { use: "wrong", value: "1" } } }] },
    ],
    [
      "extension[0].value.repeat.dayOfWeek[1]",
      {
        extension: [
          {
            url: URL,
            value: { case: "valueTiming", value: { repeat: { dayOfWeek: ["mon", "someday"] } } },
          },
        ],
      },
    ],
    ["identifier[0].use", { identifier: [{ ...identifier, use: "wrong" }] }],
    [
      "identifier[0].assigner.identifier.use",
      { identifier: [{ ...identifier, assigner: { identifier: { use: "wrong", value: "1" } } }] },
    ],
    ["name[0].use", { name: [{ use: "wrong" }, { use: "official", family: "A", given: ["B"] }] }],
    [
      "birthDate.extension[0].value.comparator",
      {
        birthDate: "1990-01-01",
        birthDateElement: {
          extension: [{ url: URL, value: { case: "valueQuantity", value: { comparator: "~", value: "1" } } }],
        },
      },
    ],
  ])("is refused in Patient.%s", (element, changes) => {
    expect(ofPatient(changes)).toEqual([`MPI-096 Patient.${element}`]);
  });

  it.each<[string, ObservationInit]>([
    ["identifier[0].use", { identifier: [{ use: "wrong", value: "1" }] }],
    [
      "triggeredBy[0].type",
      { triggeredBy: [{ type: "wrong", observation: { reference: "Observation/9" } }] },
    ],
    [
      "effective.repeat.periodUnit",
      { effective: { case: "effectiveTiming", value: { repeat: { period: "1", periodUnit: "decade" } } } },
    ],
    ["contained[0].gender", inside({ gender: "wrong" })],
    ["contained[0].name[0].use", inside({ name: [{ use: "wrong", text: "A" }] })],
    ["contained[0].telecom[0].system", inside({ telecom: [{ system: "wrong", value: "1" }] })],
  ])("is refused in Observation.%s", (element, changes) => {
    expect(ofMarriage(changes)).toEqual([`MPI-096 Observation.${element}`]);
  });

  it("is refused in a contact person", () => {
    const given = contactPerson({ identifier: [{ ...identifier, use: "wrong" }] });
    const circle = { groupIdentifiers: [], others: [], limit: 3 };
    expect(codes(acceptRelatedPerson(given, circle, setting).faults)).toEqual([
      "MPI-096 RelatedPerson.identifier[0].use",
    ]);
  });

  it("is told once, where it has a code of error of its own", () => {
    expect(
      ofPatient({
        gender: "wrong",
        telecom: [{ system: "fax", value: "1" }],
        address: [{ use: "x", country: "FI" }],
      }),
    ).toEqual([
      "MPI-008 Patient.telecom[0].system",
      "MPI-094 Patient.gender",
      "MPI-012 Patient.address[0].use",
    ]);
    expect(ofMarriage({ status: "wrong" })).toEqual(["MPI-096 Observation.status"]);
  });
});

describe("nothing is said", () => {
  test.each<[string, PatientInit]>([
    [
      "of elements that are not kept",
      { contact: [{ gender: "wrong" }], text: { status: "wrong", div: "<div/>" } },
    ],
    [
      "of codes that are not R5's to tell",
      {
        extension: [
          { url: URL, value: { case: "valueCode", value: "any" } },
          { url: URL, value: { case: "valueMoney", value: { currency: "XBT" } } },
        ],
      },
    ],
    [
      "of a code that only extensions stand for",
      {
        name: [
          { useElement: { extension: [{ url: URL, value: { case: "valueCode", value: "x" } }] }, text: "A" },
          { use: "official", family: "A", given: ["B"] },
        ],
      },
    ],
  ])("%s", (_what, changes) => {
    expect(ofPatient(changes)).toEqual([]);
  });

  test("of what a patient shows of others and does not take: their identifiers", () => {
    const others = { system: `${PID}/fin/ppn`, value: "X1", use: "wrong" };
    const given = verifiedPatient({ identifier: [others, { ...identifier, use: "wrong" }] });
    const { faults } = acceptChangedPatient(verifiedPatient(), given, setting, [others as never]);
    expect(codes(faults)).toEqual(["MPI-096 Patient.identifier[1].use"]);
  });
});
