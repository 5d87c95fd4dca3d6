import { describe, expect, it } from "vitest";
import { acceptChangedPatient } from "../../../src/patients/rules/index.ts";
import { codes, setting } from "../../content-rules/faults.ts";
import { estonianPatient, type PatientInit, verifiedPatient } from "../examples.ts";

const putEstonian = (changes: PatientInit) =>
  codes(acceptChangedPatient(estonianPatient(), estonianPatient(changes), setting).faults);
const name = { use: "official", family: "Mänd", given: ["Mari-Liis"] };

describe("of an Estonian patient a client", () => {
  it.each<[string, PatientInit]>([
    ["Patient.active", { active: false }],
    ["Patient.active", { active: undefined }],
    ["Patient.name", { name: [{ ...name, family: "Kuusk" }] }],
    ["Patient.name", { name: [name, { use: "nickname", text: "Liisu" }] }],
    ["Patient.gender", { gender: "other" }],
    ["Patient.birthDate", { birthDate: "1980-01" }],
    ["Patient.birthDate", { birthDate: undefined }],
    ["Patient.deceased", { deceased: { case: "deceasedDateTime", value: "2026-04-01" } }],
    ["Patient.deceased", { deceased: { case: "deceasedBoolean", value: true } }],
  ])("cannot change %s (MPI-071)", (expression, changes) => {
    expect(putEstonian(changes)).toEqual([`MPI-071 ${expression}`]);
  });

  it("is told of each such element", () => {
    expect(putEstonian({ active: false, gender: "female", name: [{ ...name, given: ["Mari"] }] })).toEqual([
      "MPI-071 Patient.active",
      "MPI-071 Patient.name",
      "MPI-071 Patient.gender",
    ]);
  });

  it("can change the rest: contacts, languages, extensions such as the time of birth", () => {
    const birthTime = {
      url: "http://hl7.org/fhir/StructureDefinition/patient-birthTime",
      value: { case: "valueDateTime" as const, value: "1980-01-08T04:05:00+03:00" },
    };
    expect(
      putEstonian({
        telecom: [{ system: "phone", value: "+3725123456" }],
        communication: [{ language: { coding: [{ system: "urn:ietf:bcp:47", code: "et" }] } }],
        birthDateElement: { extension: [birthTime] },
      }),
    ).toEqual([]);
  });
});

describe("that an Estonian patient has died", () => {
  const absent = (code: string) => ({
    extension: [
      {
        url: "http://hl7.org/fhir/StructureDefinition/data-absent-reason",
        value: { case: "valueCode" as const, value: code },
      },
    ],
  });
  const put = (before: PatientInit, after: PatientInit) =>
    codes(acceptChangedPatient(estonianPatient(before), estonianPatient(after), setting).faults);
  const death = { deceased: { case: "deceasedDateTime" as const, value: "2026-04-01" } };

  it.each<[string, PatientInit]>([
    ["deceasedDateTime", { deceasedDateTimeElement: absent("unknown") }],
    ["deceasedBoolean", { deceasedBooleanElement: absent("unknown") }],
  ])("is not said by extensions of %s in place of a value either (MPI-071)", (_element, changes) => {
    expect(put({}, changes)).toEqual(["MPI-071 Patient.deceased"]);
    expect(put({ deceasedDateTimeElement: absent("masked") }, changes)).toEqual(["MPI-071 Patient.deceased"]);
  });

  it("may stand there as it stood, and be taken away", () => {
    const before = { deceasedDateTimeElement: absent("unknown") };
    expect(put(before, before)).toEqual([]);
    expect(put(before, {})).toEqual([]);
  });

  it("may have extensions beside the value", () => {
    expect(put(death, { ...death, deceasedDateTimeElement: absent("unknown") })).toEqual([]);
  });
});

describe("of any other patient a client", () => {
  it("can change all of it", () => {
    const after = verifiedPatient({
      active: false,
      name: [name],
      gender: "other",
      birthDate: "1991",
      deceased: { case: "deceasedBoolean", value: true },
    });
    expect(acceptChangedPatient(verifiedPatient(), after, setting).faults).toEqual([]);
  });
});
