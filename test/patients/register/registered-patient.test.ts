import { create, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { RegisteredPersonSchema } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { HumanNameSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { newRegisteredPatient, refreshedPatient } from "../../../src/patients/register/registered-patient.ts";
import { acceptChangedPatient } from "../../../src/patients/rules/index.ts";
import { checkStructure } from "../../../src/structure/index.ts";
import { PERSONAL_CODE } from "../examples.ts";

const RR = "https://rahvastikuregister.ee";
const setting = { now: new Date("2026-11-21T10:00:00Z"), indexSystem: "https://mpi.tehik.ee" };
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
    const patient = newRegisteredPatient(person, RR);
    expect(patient.name.map((one) => toJson(HumanNameSchema, one))).toEqual([shown]);
    expect(checkStructure(PatientSchema, patient)).toEqual([]);
    expect(acceptChangedPatient(patient, patient, setting).faults).toEqual([]);
    expect(refreshedPatient(patient, person, RR)).toBeUndefined();
  });

  it("says so after the next refresh when it was stored without a word", () => {
    const person = personOf({ familyName: "Maasikas" });
    const patient = newRegisteredPatient(person, RR);
    const name = [create(HumanNameSchema, { use, family: "Maasikas", given: [] })];
    expect(refreshedPatient({ ...patient, name }, person, RR)?.name).toEqual(patient.name);
  });
});
