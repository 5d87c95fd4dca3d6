import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ExtensionSchema, IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { visitIdentifiers } from "../../src/identifier-index/index.ts";

function valuesIn(patient: Patient): (string | undefined)[] {
  const values: (string | undefined)[] = [];
  visitIdentifiers(PatientSchema, patient, ({ value }) => values.push(value));
  return values;
}

test("identifiers are found in lists, in single elements and in choices, each time in the same order", () => {
  const inChoice = create(IdentifierSchema, { value: "in a choice" });
  const patient = create(PatientSchema, {
    identifier: [
      { value: "first", assigner: { identifier: { value: "of the assigner" } } },
      { value: "second" },
    ],
    managingOrganization: { identifier: { value: "of the organization" } },
    extension: [{ url: "http://example.org/number", value: { case: "valueIdentifier", value: inChoice } }],
  });

  const values = valuesIn(patient);
  expect(new Set(values)).toEqual(
    new Set(["first", "of the assigner", "second", "of the organization", "in a choice"]),
  );
  expect(valuesIn(patient)).toEqual(values);
});

test("a choice that names its type and has no value is passed over", () => {
  const extension = create(ExtensionSchema, { url: "http://example.org/number" });
  extension.value = { case: "valueIdentifier", value: undefined as never };
  const patient = create(PatientSchema, { extension: [extension], identifier: [{ value: "first" }] });
  expect(valuesIn(patient)).toEqual(["first"]);
});
