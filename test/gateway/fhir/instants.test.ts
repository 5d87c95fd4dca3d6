import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { decodeResource, encodeResource, tallinnInstant } from "../../../gateway/fhir/index.ts";

/** meta.lastUpdated as it comes back. */
function shown(lastUpdated: string): unknown {
  const { message, faults } = decodeResource(PatientSchema, {
    resourceType: "Patient",
    meta: { lastUpdated },
  });
  if (message === undefined) return faults.map(({ meaning, expression }) => `${meaning} ${expression}`);
  return (encodeResource(PatientSchema, message)["meta"] as { lastUpdated: string }).lastUpdated;
}

describe("meta.lastUpdated is shown with the offset of Europe/Tallinn", () => {
  test.each([
    ["2026-01-15T10:00:00Z", "2026-01-15T12:00:00.000+02:00"],
    ["2026-07-15T10:00:00.5Z", "2026-07-15T13:00:00.500+03:00"],
    ["2026-03-29T00:59:59.999Z", "2026-03-29T02:59:59.999+02:00"],
    ["2026-03-29T01:00:00Z", "2026-03-29T04:00:00.000+03:00"],
    ["2026-10-25T00:59:59Z", "2026-10-25T03:59:59.000+03:00"],
    ["2026-10-25T01:00:00Z", "2026-10-25T03:00:00.000+02:00"],
    ["2026-12-31T23:59:59.123456789-10:00", "2027-01-01T11:59:59.123456789+02:00"],
    ["2026-01-15T10:00:00.000000005Z", "2026-01-15T12:00:00.000000005+02:00"],
    ["2026-01-15T10:00:00.999999999Z", "2026-01-15T12:00:00.999999999+02:00"],
    ["2016-12-31T23:59:60Z", "2017-01-01T02:00:00.000+02:00"],
    ["1969-12-31T23:59:59.25Z", "1970-01-01T02:59:59.250+03:00"],
    ["1900-01-01T00:00:00Z", "1900-01-01T01:39:00.000+01:39"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T01:39:00.000+01:39"],
  ])("%s", (given, expected) => {
    expect(shown(given)).toBe(expected);
  });

  test.each(["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-02-30T00:00:00Z", "2026-01-01"])(
    "%s is none that the index can hold",
    (given) => {
      expect(shown(given)).toEqual(["PRIMITIVE_INVALID Patient.meta.lastUpdated"]);
    },
  );

  test("the offset of an hour is right wherever in the hour it was asked for first", () => {
    const instants = [1_774_745_999n, 1_774_746_000n, 1_774_749_599n, 1_774_742_400n];
    const texts = instants.map((seconds) => tallinnInstant(create(TimestampSchema, { seconds })));
    expect(texts.map((text) => BigInt(Date.parse(text)) / 1000n)).toEqual(instants);
  });
});
