import { create, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { RegisteredPersonSchema } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { AddressSchema, HumanNameSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { unknownValue } from "../../../src/content-rules/index.ts";
import { newRegisteredPatient, refreshedPatient } from "../../../src/patients/register/registered-patient.ts";
import { acceptChangedPatient } from "../../../src/patients/rules/index.ts";
import { checkStructure } from "../../../src/structure/index.ts";
import { codes } from "../../content-rules/faults.ts";
import { PERSONAL_CODE } from "../examples.ts";

const RR = "https://rahvastikuregister.ee";
const setting = { now: new Date("2026-11-21T10:00:00Z"), indexSystem: "https://mpi.tehik.ee" };
const word = { source: RR, now: setting.now };
const use = "official";
const unknown = {
  extension: [{ url: "http://hl7.org/fhir/StructureDefinition/data-absent-reason", valueCode: "unknown" }],
};

type NameInit = { readonly familyName?: string; readonly givenNames?: string[] };

function personOf(name: NameInit) {
  return create(RegisteredPersonSchema, { personalCode: PERSONAL_CODE, birthDate: "1980-01-08", ...name });
}

describe("a patient of whose name the register does not know a part", () => {
  it.for<[NameInit, object]>([
    [{ givenNames: ["Mart", ""] }, { use, familyElement: unknown, given: ["Mart"] }],
    [{ familyName: "Maasikas" }, { use, family: "Maasikas", given: [""], givenElement: [unknown] }],
    [
      { familyName: " ", givenNames: [""] },
      { use, familyElement: unknown, given: [""], givenElement: [unknown] },
    ],
  ])("says so in its place, can be put back, and stays as it is in a refresh: %o", ([name, shown]) => {
    const person = personOf(name);
    const patient = newRegisteredPatient(person, word);
    expect(patient.name.map((one) => toJson(HumanNameSchema, one))).toEqual([shown]);
    expect(checkStructure(PatientSchema, patient)).toEqual([]);
    expect(acceptChangedPatient(patient, patient, setting).faults).toEqual([]);
    expect(refreshedPatient(patient, person, word)).toBeUndefined();
  });

  it("says so after the next refresh when it was stored without a word", () => {
    const person = personOf({ familyName: "Maasikas" });
    const patient = newRegisteredPatient(person, word);
    const name = [create(HumanNameSchema, { use, family: "Maasikas", given: [] })];
    expect(refreshedPatient({ ...patient, name }, person, word)?.name).toEqual(patient.name);
  });
});

it("an official residence leaves out what the register says with blanks alone", () => {
  const residence = { text: "Aia tn 3", state: " ", city: "Tallinn", postalCode: "\u200B" };
  const [shown] = newRegisteredPatient(
    create(RegisteredPersonSchema, {
      personalCode: PERSONAL_CODE,
      residence: {
        ...residence,
        streetName: "Aia tn",
        streetNameBase: " ",
        houseNumber: "3",
        additionalLocator: " ",
      },
    }),
    word,
  ).address;
  const part = (name: string, valueString: string) => ({
    url: `http://hl7.org/fhir/StructureDefinition/iso21090-ADXP-${name}`,
    valueString,
  });
  expect(shown && toJson(AddressSchema, shown)).toEqual({
    extension: [{ url: "http://hl7.org/fhir/StructureDefinition/address-official", valueBoolean: true }],
    use: "home",
    type: "both",
    text: "Aia tn 3",
    line: ["Aia tn 3"],
    lineElement: [{ extension: [part("streetName", "Aia tn"), part("houseNumber", "3")] }],
    city: "Tallinn",
    country: "EE",
  });
});

describe("a former name", () => {
  const days = ["2026-01-05", "2026-02-05", "2026-03-05"];
  /** The names after the register has said one after the other. */
  const namesAfter = (...said: readonly NameInit[]) => {
    const [first = {}, ...others] = said;
    let patient = newRegisteredPatient(personOf(first), word);
    for (const [index, name] of others.entries()) {
      const now = new Date(`${days[index]}T10:00:00Z`);
      patient = refreshedPatient(patient, personOf(name), { source: RR, now }) ?? patient;
    }
    return patient.name.map((one) => toJson(HumanNameSchema, one));
  };
  const [maasikas, vaarikas, mustikas] = ["Maasikas", "Vaarikas", "Mustikas"].map((familyName) => ({
    familyName,
    givenNames: ["Mari"],
  })) as [NameInit, NameInit, NameInit];
  const official = (family: string) => ({ use, family, given: ["Mari"] });
  const old = (family: string, end: string) => ({ use: "old", family, given: ["Mari"], period: { end } });

  it("stays behind the official one, with the day of the refresh as its end; the last one first", () => {
    expect(namesAfter(maasikas, vaarikas)).toEqual([official("Vaarikas"), old("Maasikas", "2026-01-05")]);
    expect(namesAfter(maasikas, vaarikas, mustikas)).toEqual([
      official("Mustikas"),
      old("Vaarikas", "2026-02-05"),
      old("Maasikas", "2026-01-05"),
    ]);
  });

  it("is there once, and not while it holds, however often it changes back and forth", () => {
    expect(namesAfter(maasikas, vaarikas, maasikas)).toEqual([
      official("Maasikas"),
      old("Vaarikas", "2026-02-05"),
    ]);
    expect(namesAfter(maasikas, vaarikas, maasikas, vaarikas)).toEqual([
      official("Vaarikas"),
      old("Maasikas", "2026-03-05"),
    ]);
  });

  it("is none that was stored with blanks of the register round it", () => {
    expect(namesAfter({ familyName: "Maasikas ", givenNames: [" Mari"] }, maasikas)).toEqual([
      official("Maasikas"),
    ]);
    expect(namesAfter({ familyName: "Maasikas ", givenNames: [" Mari"] }, vaarikas)).toHaveLength(2);
  });

  it("ends on the day that it is in Estonia", () => {
    const patient = newRegisteredPatient(personOf(maasikas), word);
    const now = new Date("2026-07-01T22:00:00Z");
    expect(refreshedPatient(patient, personOf(vaarikas), { source: RR, now })?.name[1]?.period?.end).toBe(
      "2026-07-02",
    );
  });

  it("is none of which the new one only says more, and is one of which the register knows nothing any more", () => {
    expect(namesAfter({ familyName: "Maasikas" }, maasikas)).toEqual([official("Maasikas")]);
    expect(namesAfter({}, maasikas)).toEqual([official("Maasikas")]);
    expect(namesAfter(maasikas, {})[1]).toEqual(old("Maasikas", "2026-01-05"));
  });

  it("is put back by a client as it is, and neither changed nor removed (MPI-071)", () => {
    const patient = newRegisteredPatient(personOf(maasikas), word);
    const refreshed = refreshedPatient(patient, personOf(vaarikas), word);
    if (!refreshed) throw new Error("A new name made no new patient.");
    const [name, former] = refreshed.name;
    if (!name || !former) throw new Error("A former name is not there.");
    const put = (...names: (typeof name)[]) =>
      codes(acceptChangedPatient(refreshed, { ...refreshed, name: names }, setting).faults);
    expect(put(name, former)).toEqual([]);
    expect(put(name)).toEqual(["MPI-071 Patient.name"]);
    expect(put(name, { ...former, family: "Mustikas" })).toEqual(["MPI-071 Patient.name"]);
    expect(put(name, { ...former, period: undefined })).toEqual(["MPI-071 Patient.name"]);
  });
});

describe("a day of birth that the register does not know", () => {
  it("leaves what a client said in its place, and makes no new version", () => {
    const person = { ...personOf({ familyName: "Maasikas", givenNames: ["Mari"] }), birthDate: "" };
    const birthDateElement = unknownValue();
    const patient = { ...newRegisteredPatient(person, word), birthDateElement };
    expect(refreshedPatient(patient, person, word)).toBeUndefined();
    expect(refreshedPatient(patient, { ...person, birthDate: "1980-01-08" }, word)).toMatchObject({
      birthDate: "1980-01-08",
      birthDateElement: undefined,
    });
  });
});
