import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ExtensionSchema, IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { sealDocument, unsealDocument } from "../../../src/storage/sealing/sealed-document.ts";
import { newIndexKeys } from "../index-keys.ts";

const HOLDER = { patientId: 7n, owner: 7n };
const keys = newIndexKeys();

/** A patient whose identifiers stand in extensions too, where their number is not limited. */
function patientWith(values: readonly string[]): Patient {
  const identifiers = values.map((value) =>
    create(IdentifierSchema, { system: "https://example.org/number", value }),
  );
  return create(PatientSchema, {
    identifier: identifiers.slice(0, 2),
    extension: identifiers.map((value) =>
      create(ExtensionSchema, {
        url: "https://example.org/another",
        value: { case: "valueIdentifier", value },
      }),
    ),
  });
}

function seal(patient: Patient) {
  return sealDocument(keys.primary, PatientSchema, patient, HOLDER, new Map(), 1);
}

function distinct(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `number ${index}`);
}

describe("the values of a document", () => {
  it.each([1, 15, 16, 17, 40])("have a row each, however often they stand in it: %i values", (count) => {
    const values = [...distinct(count), ...distinct(count).reverse()];
    const { document, added } = seal(patientWith(values));
    expect(added.map(({ n }) => n)).toEqual(distinct(count).map((_, index) => index + 1));
    expect(unsealDocument(keys, PatientSchema, document, HOLDER, added)).toEqual(patientWith(values));
  });

  it("are other ones under another system", () => {
    const patient = create(PatientSchema, {
      identifier: [
        { system: "https://example.org/a", value: "1" },
        { system: "https://example.org/b", value: "1" },
        { value: "1" },
      ],
    });
    expect(seal(patient).added.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it("take as much longer as there are more of them, of thousands too", () => {
    // Four times as many, four times as long: sixteen times, where each is compared with all before it.
    expect(quickestOf(40_000) / quickestOf(10_000)).toBeLessThan(8);
  });
});

/** Milliseconds of processor time. */
function quickestOf(count: number): number {
  const patient = patientWith(distinct(count));
  const times = Array.from({ length: 2 }, () => {
    const before = process.cpuUsage();
    seal(patient);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
