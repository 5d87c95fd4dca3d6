import type { FhirJson } from "../../../gateway/fhir/index.ts";
import { applyOperations } from "../../../gateway/patch/fhirpath/apply.ts";
import { readOperations } from "../../../gateway/patch/fhirpath/operations.ts";
import { MpiError } from "../../../src/errors/index.ts";
import { type Json, parameters } from "./patch-parameters.ts";

/** A patient with much of what paths can lead to. */
export const patient: FhirJson = {
  resourceType: "Patient",
  extension: [
    { url: "urn:a", valueString: "A" },
    { url: "urn:b", valueInteger: 2 },
  ],
  identifier: [
    { use: "official", system: "urn:x", value: "1" },
    { use: "usual", system: "urn:x", value: "2", period: { end: "2020" } },
  ],
  active: true,
  name: [
    { use: "official", family: "O'Hara", given: ["Ann", null, "Beth"], _given: [null, { id: "g" }, null] },
    { use: "usual", given: ["Annie"] },
  ],
  birthDate: "1970-01-01",
  _birthDate: { extension: [{ url: "urn:time", valueDateTime: "1970-01-01T10:00:00Z" }] },
  multipleBirthInteger: 2,
};

/** That patient after these operations. */
export function patched(...operations: readonly Json[]): FhirJson {
  return applyOperations(patient, readOperations(parameters(...operations)));
}

/** Why some work is refused. */
export function refusalOf(work: () => unknown): {
  meaning: string;
  parameters: object;
  expression: readonly string[];
} {
  try {
    work();
  } catch (error) {
    if (error instanceof MpiError) return JSON.parse(JSON.stringify(error.issues[0]));
    throw error;
  }
  throw new Error("It was not refused");
}
