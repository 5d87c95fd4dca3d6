import { describe, expect, it } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { acceptChangedPatient, acceptNewPatient } from "../../../src/patients/rules/index.ts";
import { elementPaths, withElements } from "../../../src/resources/index.ts";
import { codes, setting } from "../../content-rules/faults.ts";
import { verifiedPatient } from "../examples.ts";

const whole = verifiedPatient();
const cut = withElements(PatientSchema, whole, elementPaths(PatientSchema, ["identifier", "name"]));

describe("a patient that was read with _elements", () => {
  it("cannot be put back, which would delete what had been cut (MPI-096)", () => {
    expect(codes(acceptChangedPatient(whole, cut, setting).faults)).toEqual(["MPI-096 Patient.meta.tag"]);
  });

  it("cannot be created either", () => {
    expect(codes(acceptNewPatient(cut, setting).faults)).toEqual(["MPI-096 Patient.meta.tag"]);
  });
});
