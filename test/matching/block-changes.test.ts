import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { blockChanges, blocksOf } from "../../src/matching/index.ts";
import { arbitraryPatient } from "../patients/arbitrary-patient.ts";
import { PID, verifiedPatient } from "../patients/examples.ts";

const parts = ["name", "birthDate", "gender", "identifier", "telecom", "address"] as const;

/** A patient, and a version that has some of its elements from another one. */
const versions: fc.Arbitrary<{ current: Patient; next: Patient }> = fc
  .tuple(arbitraryPatient, arbitraryPatient, fc.subarray([...parts]))
  .map(([current, other, changed]) => ({
    current,
    next: { ...current, ...Object.fromEntries(changed.map((part) => [part, other[part]])) },
  }));

describe("the blocks of a patient's next version", () => {
  it("are those of the version before with what changes", () => {
    fc.assert(
      fc.property(versions, ({ current, next }) => {
        const { gone, added } = blockChanges(current, next);
        const before = new Set(blocksOf(current).keys);
        expect(before.difference(new Set(gone)).size).toBe(before.size - gone.length);
        expect(before.intersection(new Set(added)).size).toBe(0);
        expect(before.difference(new Set(gone)).union(new Set(added))).toEqual(new Set(blocksOf(next).keys));
      }),
    );
  });

  it("have names to be known only where names may be others", () => {
    const identifier = [{ system: `${PID}/fin/ni`, value: "010170-960F" }];
    const current = verifiedPatient({ identifier, name: [{ family: "Saari", given: ["Aino"] }] });
    const email = verifiedPatient({ telecom: [{ system: "email", value: "aino@example.ee" }] }).telecom;
    expect(blockChanges(current, { ...current, telecom: email }).forms).toEqual([]);
    const other = verifiedPatient({ name: [{ family: "Saar", given: ["Aino"] }] }).name;
    const next = { ...current, name: other };
    expect(blockChanges(current, next).forms).toEqual(["saar", "aino"]);
  });
});
