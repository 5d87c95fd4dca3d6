import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { roughBytes } from "../../src/messages/index.ts";

test("long texts take as much as they are long, and hardly more", () => {
  const patient = create(PatientSchema, { name: [{ text: "x".repeat(100_000) }] });
  expect(roughBytes(patient)).toBeGreaterThanOrEqual(100_000);
  expect(roughBytes(patient)).toBeLessThan(110_000);
});

test("small elements take many times what they do encoded: each is an object with lists of its own", () => {
  const contact = [{ telecom: Array.from({ length: 1_000 }, () => ({ rank: 1 })) }];
  const patient = create(PatientSchema, { contact });
  expect(roughBytes(patient)).toBeGreaterThan(20 * toBinary(PatientSchema, patient).length);
});

test("an ordinary patient takes a few thousand bytes", () => {
  const name = [{ use: "official", family: "Virtanen", given: ["Aino"] }];
  const patient = create(PatientSchema, { name, gender: "female", birthDate: "1952-10-13" });
  expect(roughBytes(patient)).toBeLessThan(3_000);
});
