import { create, equals, fromBinary, mergeFromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { inventPeople } from "../../src/invented-people/index.ts";
import { blankMessage } from "../../src/resources/blank-message.ts";

describe.each([PatientSchema, RelatedPersonSchema, ObservationSchema])(
  "a blank message of $name",
  (schema) => {
    it("is one without content", () => {
      const blank = blankMessage<typeof schema>(schema);
      expect(equals(schema, blank, create(schema))).toBe(true);
      expect(toBinary(schema, blank)).toHaveLength(0);
    });
  },
);

describe("a blank patient", () => {
  it("shares nothing with the next one", () => {
    const [one, other] = [blankMessage(PatientSchema), blankMessage(PatientSchema)];
    one.deceased = { case: "deceasedBoolean", value: true };
    one.address.push(...inventPeople(1, 0, 1).flatMap(({ address }) => address));
    expect(equals(PatientSchema, other, create(PatientSchema))).toBe(true);
  });

  it("takes what bytes hold as a new one does", () => {
    for (const person of inventPeople(1, 0, 50)) {
      const bytes = toBinary(PatientSchema, person);
      const merged = mergeFromBinary(PatientSchema, blankMessage(PatientSchema), bytes);
      expect(equals(PatientSchema, merged, fromBinary(PatientSchema, bytes))).toBe(true);
      expect(toBinary(PatientSchema, merged)).toEqual(bytes);
    }
  });
});
