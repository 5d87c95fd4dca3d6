import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { blockChanges, blocksOf } from "../../src/matching/index.ts";
import { arbitraryPatient } from "../patients/arbitrary-patient.ts";
import { type PatientInit, PID, verifiedPatient } from "../patients/examples.ts";

const parts = ["name", "birthDate", "gender", "identifier", "telecom", "address"] as const;

/** A patient, and a version that has some of its elements from another one. */
const versions: fc.Arbitrary<{ current: Patient; next: Patient }> = fc
  .tuple(arbitraryPatient, arbitraryPatient, fc.subarray([...parts]))
  .map(([current, other, changed]) => ({
    current,
    next: { ...current, ...Object.fromEntries(changed.map((part) => [part, other[part]])) },
  }));

const aino: PatientInit = {
  identifier: [{ system: `${PID}/fin/ni`, value: "010170-960F" }],
  name: [{ use: "official", family: "Saari", given: ["Aino"] }],
  gender: "female",
  birthDate: "1970-01-01",
  telecom: [{ system: "phone", value: "+3725123456" }],
};

function expectWhatBlocksTell(current: Patient, next: Patient): void {
  const { gone, added } = blockChanges(current, next);
  const [before, after] = [new Set(blocksOf(current).keys), new Set(blocksOf(next).keys)];
  expect(new Set(gone)).toEqual(before.difference(after));
  expect(new Set(added)).toEqual(after.difference(before));
}

describe("the blocks of a patient's next version", () => {
  it("change by what differs between the blocks of both versions", () => {
    fc.assert(fc.property(versions, ({ current, next }) => expectWhatBlocksTell(current, next)));
  });

  it.each<PatientInit>([
    { identifier: [{ system: `${PID}/lva/ni`, value: "010170-96000" }] },
    { name: [{ use: "temp", family: "Saari", given: ["Aino"] }] },
    { name: [{ use: "official", family: "Saar", given: ["Aino"] }] },
    { name: [{ use: "official", family: "Saari", given: ["Aino", "Liis"] }] },
    { gender: "unknown" },
    { birthDate: "1970-01-02" },
    { telecom: [{ system: "email", value: "aino@example.ee" }] },
  ])("change with %j", (change) => {
    const [current, next] = [verifiedPatient(aino), verifiedPatient({ ...aino, ...change })];
    expect(new Set(blocksOf(next).keys)).not.toEqual(new Set(blocksOf(current).keys));
    expectWhatBlocksTell(current, next);
  });

  it("have names to be known only where names may be others", () => {
    const current = verifiedPatient(aino);
    const reachable = verifiedPatient({ ...aino, telecom: [{ system: "email", value: "aino@example.ee" }] });
    expect(blockChanges(current, reachable).forms).toEqual([]);
    const married = verifiedPatient({ ...aino, name: [{ family: "Saar", given: ["Aino"] }] });
    expect(blockChanges(current, married).forms).toEqual(["saar", "aino"]);
  });
});
