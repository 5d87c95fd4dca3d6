import { describe, expect, it } from "vitest";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { acceptNewPatient } from "../../../src/patients/rules/index.ts";
import { codes, setting } from "../../content-rules/faults.ts";
import {
  newbornPatient,
  PID,
  PROFILE_BASE,
  stillbornPatient,
  unknownPatient,
  verifiedPatient,
} from "../examples.ts";

const faultsOf = (patient: Patient) => codes(acceptNewPatient(patient, setting).faults);
const claiming = (...profile: string[]) => faultsOf(verifiedPatient({ meta: { profile } }));
const verified = `${PROFILE_BASE}ee-mpi-patient-verified`;
const phone = [{ system: "phone", value: "+3726123456" }];
const address = [{ use: "home", country: "FI", text: "Tie 1" }];
const communication = [{ language: { coding: [{ system: "urn:ietf:bcp:47", code: "et" }] } }];

describe("the profile of a patient", () => {
  it("is required (MPI-024)", () => {
    expect(claiming()).toEqual(["MPI-024 Patient.meta.profile"]);
    expect(faultsOf(verifiedPatient({ meta: undefined }))).toEqual(["MPI-024 Patient.meta.profile"]);
  });

  it.each([
    "http://hl7.org/fhir/StructureDefinition/Patient",
    `${PROFILE_BASE}ee-mpi-related-person`,
    `${PROFILE_BASE}ee-mpi-patient`,
    `${PROFILE_BASE}toString`,
    `${verified}|1.0.0`,
    `${verified}|`,
    `${verified}|1.5.0|`,
    `${verified}|1.5.0|1.5.0`,
    `${verified}|1.5.0|x`,
  ])("is one of patients, not %s (MPI-023)", (canonical) => {
    expect(claiming(canonical)).toEqual(["MPI-023 Patient.meta.profile[0]"]);
    expect(claiming(verified, canonical)).toEqual(["MPI-023 Patient.meta.profile[1]"]);
  });

  it("may name the version of the definition", () => {
    expect(claiming(`${verified}|1.5.0`)).toEqual([]);
  });

  it("is one only", () => {
    expect(claiming(verified, `${PROFILE_BASE}ee-mpi-patient-newborn`)).toEqual([
      "MPI-096 Patient.meta.profile",
    ]);
    expect(claiming(verified, verified)).toEqual([]);
  });
});

describe("a verified patient", () => {
  it("has an official name", () => {
    expect(faultsOf(verifiedPatient({ name: [] }))).toEqual(["MPI-096 Patient.name"]);
    expect(faultsOf(verifiedPatient({ name: [{ use: "usual", family: "A", given: ["B"] }] }))).toEqual([
      "MPI-096 Patient.name",
    ]);
  });

  it("has family and given in each official name", () => {
    const whole = { use: "official", family: "A", given: ["B"] };
    expect(faultsOf(verifiedPatient({ name: [{ use: "nickname", text: "Abe" }, whole] }))).toEqual([]);
    expect(faultsOf(verifiedPatient({ name: [whole, { use: "official", text: "A B" }] }))).toEqual([
      "MPI-096 Patient.name[1].family",
      "MPI-096 Patient.name[1].given",
    ]);
  });

  it("may say by an extension why a name has no given part", () => {
    const reason = { url: "http://hl7.org/fhir/StructureDefinition/data-absent-reason" };
    const name = { use: "official", family: "Sukarno", given: [""], givenElement: [{ extension: [reason] }] };
    expect(faultsOf(verifiedPatient({ name: [name] }))).toEqual([]);
    expect(faultsOf(verifiedPatient({ name: [{ ...name, givenElement: [] }] }))).toEqual([
      "MPI-096 Patient.name[0].given",
    ]);
  });
});

describe("an unknown patient", () => {
  const ownNumber = { system: `${PID}/est/prn/90006399/maja`, value: "7" };

  it("has exactly one identifier, of the index or of an institution", () => {
    expect(faultsOf(unknownPatient({ identifier: [ownNumber] }))).toEqual([]);
    expect(
      faultsOf(unknownPatient({ identifier: [ownNumber, { system: `${PID}/est/mr`, value: "8" }] })),
    ).toEqual(["MPI-096 Patient.identifier"]);
    expect(faultsOf(unknownPatient({ identifier: [{ system: `${PID}/fin/ppn`, value: "8" }] }))).toEqual([
      "MPI-096 Patient.identifier[0].system",
    ]);
    expect(faultsOf(unknownPatient({ identifier: [{ system: `${PID}/est/mrt`, value: "8" }] }))).toEqual([
      "MPI-096 Patient.identifier[0].system",
    ]);
  });

  it("has exactly one name, a nickname in text alone", () => {
    const nickname = { use: "nickname", text: "Jane" };
    expect(faultsOf(unknownPatient({ name: [] }))).toEqual(["MPI-096 Patient.name"]);
    expect(faultsOf(unknownPatient({ name: [nickname, nickname] }))).toEqual(["MPI-096 Patient.name"]);
    expect(faultsOf(unknownPatient({ name: [{ use: "usual", text: "Jane" }] }))).toEqual([
      "MPI-096 Patient.name[0].use",
    ]);
    expect(faultsOf(unknownPatient({ name: [{ use: "nickname", family: "Doe", given: ["Jane"] }] }))).toEqual(
      ["MPI-096 Patient.name[0].text", "MPI-096 Patient.name[0].family", "MPI-096 Patient.name[0].given"],
    );
  });

  it("has a sex and no multiple birth", () => {
    expect(faultsOf(unknownPatient({ gender: undefined }))).toEqual(["MPI-096 Patient.gender"]);
    expect(
      faultsOf(unknownPatient({ multipleBirth: { case: "multipleBirthBoolean", value: false } })),
    ).toEqual(["MPI-096 Patient.multipleBirth"]);
  });
});

describe.each([
  ["white space", { family: " ", given: [" ", "\u00a0\t"], text: " \u2003" }],
  ["signs that nobody sees", { family: "\u200b", given: ["\u2060 ", "\u3164"], text: " \u200d\ufeff" }],
])("a name of %s alone", (_kind, blank) => {
  it("is none where the profile demands one", () => {
    expect(faultsOf(verifiedPatient({ name: [{ use: "official", ...blank }] }))).toEqual([
      "MPI-096 Patient.name[0].family",
      "MPI-096 Patient.name[0].given",
    ]);
    expect(faultsOf(newbornPatient({ name: [{ use: "temp", ...blank }] }))).toEqual([
      "MPI-096 Patient.name[0].family",
    ]);
    expect(faultsOf(unknownPatient({ name: [{ use: "nickname", text: blank.text }] }))).toEqual([
      "MPI-096 Patient.name[0].text",
    ]);
  });

  it("is refused where the profile forbids one", () => {
    expect(faultsOf(unknownPatient({ name: [{ use: "nickname", ...blank, text: "Jane" }] }))).toEqual([
      "MPI-096 Patient.name[0].family",
      "MPI-096 Patient.name[0].given",
    ]);
  });

  it("may stand beside another given name, or an extension that says why there is none", () => {
    const reason = { url: "http://hl7.org/fhir/StructureDefinition/data-absent-reason" };
    const name = { use: "official", family: " ", familyElement: { extension: [reason] }, given: ["B", " "] };
    expect(faultsOf(verifiedPatient({ name: [name] }))).toEqual([]);
  });
});

describe.each([
  ["newborn", newbornPatient],
  ["stillborn", stillbornPatient],
] as const)("a %s patient", (_, example) => {
  it("has a birth date and a number among multiple births", () => {
    expect(faultsOf(example({ birthDate: undefined }))).toEqual(["MPI-096 Patient.birthDate"]);
    expect(faultsOf(example({ multipleBirth: { case: "multipleBirthBoolean", value: true } }))).toEqual([
      "MPI-096 Patient.multipleBirth",
    ]);
  });

  it("has no telecom, address or communication", () => {
    expect(faultsOf(example({ telecom: phone, address, communication }))).toEqual([
      "MPI-096 Patient.telecom",
      "MPI-096 Patient.address",
      "MPI-096 Patient.communication",
    ]);
  });

  it("has one name at the most, a temporary one", () => {
    const name = { use: "temp", family: "Tamm" };
    expect(faultsOf(example({ name: [name, name] }))).toEqual(["MPI-096 Patient.name"]);
    expect(faultsOf(example({ name: [{ ...name, use: "official" }] }))).toEqual([
      "MPI-096 Patient.name[0].use",
    ]);
  });
});

describe("a newborn patient", () => {
  it("has a name with family", () => {
    expect(faultsOf(newbornPatient({ name: [] }))).toEqual(["MPI-096 Patient.name"]);
    expect(faultsOf(newbornPatient({ name: [{ use: "temp", text: "Tamm" }] }))).toEqual([
      "MPI-096 Patient.name[0].family",
    ]);
  });
});

describe("a stillborn patient", () => {
  it("needs no name", () => {
    expect(faultsOf(stillbornPatient({ name: [] }))).toEqual([]);
  });

  it("has the time of death", () => {
    expect(faultsOf(stillbornPatient({ deceased: { case: "deceasedBoolean", value: true } }))).toEqual([
      "MPI-096 Patient.deceased",
    ]);
  });

  it("has identifiers of three systems only", () => {
    expect(
      faultsOf(stillbornPatient({ identifier: [{ system: `${PID}/est/prn/90006399`, value: "1" }] })),
    ).toEqual([]);
    expect(faultsOf(stillbornPatient({ identifier: [{ system: `${PID}/est/mrt`, value: "1" }] }))).toEqual([
      "MPI-096 Patient.identifier[0].system",
    ]);
  });
});
