import type { DescMessage } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { type ElementTable, elementTable } from "../../../../gateway/fhir/elements.ts";
import { fhirType } from "../../../../gateway/fhir/fhir-types.ts";
import { schemaFaults } from "./schema.ts";

const schemas: [string, DescMessage][] = [
  ["Patient", PatientSchema],
  ["RelatedPerson", RelatedPersonSchema],
  ["Observation", ObservationSchema],
];

test.each(schemas)(
  "the elements of %s and of all in it are those of its message, in that order",
  (name, schema) => {
    const seen = new Set<string>();
    const compare = (type: string, table: ElementTable): void => {
      if (seen.has(type)) return;
      seen.add(type);
      const ofXml = [...fhirType(type).elements.values()];
      expect(ofXml.map(({ jsonName }) => jsonName)).toEqual(jsonNames(table));
      for (const { jsonName, repeated, content } of ofXml) {
        const entry = table.properties.get(jsonName)?.entry;
        expect([type, jsonName, repeated]).toEqual([type, jsonName, entry?.repeated]);
        if (content.kind === "complex" && entry?.content.kind === "complex") {
          compare(content.type, entry.content.table);
        }
      }
    };
    compare(name, elementTable(schema));
    expect(seen.size).toBeGreaterThan(40);
  },
);

test("the official schema does see elements out of order", () => {
  const name = "<name/>";
  const gender = '<gender value="male"/>';
  const patient = (content: string) => `<Patient xmlns="http://hl7.org/fhir">${content}</Patient>`;
  expect(schemaFaults(patient(name + gender))).toEqual([]);
  expect(schemaFaults(patient(gender + name))).not.toEqual([]);
});

function jsonNames({ members }: ElementTable): string[] {
  return members.flatMap((member) =>
    member.kind === "element"
      ? [member.entry.jsonName]
      : [...member.byCase.values()].map(({ jsonName }) => jsonName),
  );
}
