import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type Identifier, IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { acceptChangedPatient } from "../../../src/patients/rules/index.ts";
import { codes, setting } from "../../content-rules/faults.ts";
import { estonianPatient, PERSONAL_CODE, PID, unknownPatient, verifiedPatient } from "../examples.ts";

const id = (path: string, value: string, more: { use?: string; end?: string } = {}): Identifier =>
  create(IdentifierSchema, {
    system: `${PID}/${path}`,
    value,
    ...(more.use === undefined ? {} : { use: more.use }),
    ...(more.end === undefined ? {} : { period: { end: more.end } }),
  });
const national = id("fin/ni", "010190-123A");
const passport = id("fin/ppn", "XP1");
const code = id("est/ni", PERSONAL_CODE, { use: "official" });

function put(before: Identifier[], after: Identifier[], ofGroup: Identifier[] = []) {
  const patient = before.includes(code) ? estonianPatient : verifiedPatient;
  const changed = acceptChangedPatient(
    patient({ identifier: before }),
    patient({ identifier: after }),
    setting,
    ofGroup,
  );
  return { faults: codes(changed.faults), values: changed.patient.identifier.map(({ value }) => value) };
}

describe("a change of a patient's identifiers", () => {
  it("may add one, and put them in another order", () => {
    expect(put([national], [passport, national])).toEqual({ faults: [], values: ["XP1", "010190-123A"] });
  });

  it("may end one", () => {
    expect(put([national, passport], [national, id("fin/ppn", "XP1", { end: "2026-01-01" })]).faults).toEqual(
      [],
    );
  });

  it("may put back one with a sign that nobody sees, as an earlier build stored it, and add none", () => {
    const stored = id("fin/ppn", "XP\u200B1");
    expect(put([national, stored], [national, stored])).toEqual({
      faults: [],
      values: ["010190-123A", "XP\u200B1"],
    });
    expect(put([national, stored], [national, stored, id("fin/ppn", "XP\u200B2")]).faults).toEqual([
      "MPI-096 Patient.identifier[2].value",
    ]);
  });

  it("may not remove one", () => {
    expect(put([national, passport], [national]).faults).toEqual(["MPI-096 Patient.identifier"]);
  });

  it("may not change the value of one", () => {
    expect(put([national, passport], [national, id("fin/ppn", "XP2")]).faults).toEqual([
      "MPI-096 Patient.identifier[1].value",
    ]);
  });

  it("tells removed ones from changed ones", () => {
    const before = [national, passport, id("fin/ppn", "XP2")];
    expect(put(before, [national, id("fin/ppn", "XP3")]).faults).toEqual([
      "MPI-096 Patient.identifier[1].value",
      "MPI-096 Patient.identifier",
    ]);
  });

  it("leaves none out altogether (MPI-016 too)", () => {
    expect(put([national], []).faults).toEqual(["MPI-016 Patient.identifier", "MPI-096 Patient.identifier"]);
  });

  it("holds added ones to all the rules", () => {
    expect(put([national], [national, id("lva/ppn", "L1"), id("xxx/ni", "1")]).faults).toEqual([
      "MPI-025 Patient.identifier[2].system",
      "MPI-070 Patient.identifier[1]",
    ]);
  });

  it("may not add an Estonian personal code (MPI-050), nor a wrong one (MPI-090)", () => {
    expect(put([national], [national, code]).faults).toEqual(["MPI-050 Patient.identifier[1]"]);
    expect(put([national], [national, id("est/ni", "38001085719")]).faults).toEqual([
      "MPI-090 Patient.identifier[1].value",
    ]);
  });
});

describe("the personal code of an Estonian patient", () => {
  it("can be put back, with another identifier beside it", () => {
    expect(put([code], [code, passport]).faults).toEqual([]);
  });

  it("cannot be changed in any of its fields (MPI-071)", () => {
    const fault = ["MPI-071 Patient.identifier[0]"];
    expect(put([code], [id("est/ni", PERSONAL_CODE)]).faults).toEqual(fault);
    expect(put([code], [id("est/ni", PERSONAL_CODE, { use: "official", end: "2026-01-01" })]).faults).toEqual(
      fault,
    );
  });

  it("cannot be removed or replaced (MPI-071)", () => {
    expect(put([code], [passport]).faults).toEqual(["MPI-071 Patient.identifier"]);
    expect(put([code], [id("est/ni", "49403136526")]).faults).toEqual([
      "MPI-071 Patient.identifier[0].value",
    ]);
  });
});

describe("identifiers of the other members of a linked group", () => {
  const other = id("swe/ni", "900101-1234", { end: "2026-03-01" });

  it("are put back without becoming the patient's own", () => {
    expect(put([national], [other, national], [other])).toEqual({ faults: [], values: ["010190-123A"] });
  });

  it("may be left out or changed, to no effect", () => {
    expect(put([national], [national], [other]).faults).toEqual([]);
    expect(put([national], [national, id("swe/ni", "900101-1234")], [other])).toEqual({
      faults: [],
      values: ["010190-123A"],
    });
  });

  it("keep no fault from being shown at its place in the body", () => {
    expect(put([national], [other, national, id("xxx/ni", "1")], [other]).faults).toEqual([
      "MPI-025 Patient.identifier[2].system",
    ]);
  });

  it("do not count for the profile unknown", () => {
    const given = unknownPatient();
    const shown = unknownPatient({ identifier: [...given.identifier, other] });
    expect(acceptChangedPatient(given, shown, setting, [other]).faults).toEqual([]);
  });
});
