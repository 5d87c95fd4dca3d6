import { create, equals, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { inventPeople } from "../../src/invented-people/index.ts";
import { blankMessages } from "../../src/messages/index.ts";

describe.each([PatientSchema, RelatedPersonSchema, ObservationSchema])(
  "a blank message of $name",
  (schema) => {
    it("is one without content", () => {
      const blank = blankMessages<typeof schema>(schema)();
      expect(equals(schema, blank, create(schema))).toBe(true);
      expect(toBinary(schema, blank)).toHaveLength(0);
    });
  },
);

describe("a blank patient", () => {
  it("shares nothing with the next one", () => {
    const blank = blankMessages(PatientSchema);
    const [one, other] = [blank(), blank()];
    one.deceased = { case: "deceasedBoolean", value: true };
    one.address.push(...inventPeople(1, 0, 1).flatMap(({ address }) => address));
    expect(equals(PatientSchema, other, create(PatientSchema))).toBe(true);
  });
});
