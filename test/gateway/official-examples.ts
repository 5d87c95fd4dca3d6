import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { DescMessage } from "@bufbuild/protobuf";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";

const folder = dirname(createRequire(import.meta.url).resolve("hl7.fhir.r5.examples/package.json"));

/** The files of the official examples of R5, each with a resource in JSON. */
export const exampleFiles: readonly string[] = readdirSync(folder);

/** The files of one type of resource. */
export function examplesOf(type: string): string[] {
  return exampleFiles.filter((file) => file.startsWith(`${type}-`));
}

/** What a file holds. */
export function exampleText(file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

/** The types of the contract that there are examples of, with their messages. */
export const exampleSchemas: Readonly<Record<string, DescMessage>> = {
  Patient: PatientSchema,
  RelatedPerson: RelatedPersonSchema,
  Observation: ObservationSchema,
};
