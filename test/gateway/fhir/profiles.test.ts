import fc from "fast-check";
import { expect, test } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { decodeResource, encodeResource, parseJson, stringifyJson } from "../../../gateway/fhir/index.ts";
import { arbitraryPatient } from "../../patients/arbitrary-patient.ts";

test("a valid patient of any profile goes from FHIR to protobuf and back unchanged", () => {
  fc.assert(
    fc.property(arbitraryPatient, (patient) => {
      const text = stringifyJson(encodeResource(PatientSchema, patient));
      const { message, faults } = decodeResource(PatientSchema, parseJson(text).value ?? null);
      expect(faults).toEqual([]);
      expect(message && stringifyJson(encodeResource(PatientSchema, message))).toBe(text);
    }),
    { numRuns: 500 },
  );
});
