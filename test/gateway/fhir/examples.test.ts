import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { decodeResource, encodeResource, parseJson, stringifyJson } from "../../../gateway/fhir/index.ts";
import { checkStructure } from "../../../src/structure/index.ts";

const folder = dirname(createRequire(import.meta.url).resolve("hl7.fhir.r5.examples/package.json"));

const schemas: Readonly<Record<string, DescMessage>> = {
  Patient: PatientSchema,
  RelatedPerson: RelatedPersonSchema,
  Observation: ObservationSchema,
};

describe.each(Object.entries(schemas))("the official R5 examples of %s", (type, schema) => {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${type}-`));

  test.each(files)("%s comes out of JSON, message and bytes as it went in", (file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const decoded = decodeResource(schema, parseJson(text).value);
    expect(decoded.faults).toEqual([]);
    const message = fromBinary(schema, toBinary(schema, decoded.message as never));
    expect(message).toEqual(decoded.message);
    expect(checkStructure(schema, message)).toEqual([]);
    expect(withNumberTexts(stringifyJson(encodeResource(schema, message)))).toEqual(withNumberTexts(text));
  });
});

test("all 27 Patient examples are there", () => {
  expect(readdirSync(folder).filter((file) => file.startsWith("Patient-"))).toHaveLength(27);
});

/** Numbers as their source text; the index's own instant, whose offset changes, as the instant that it is. */
function withNumberTexts(text: string): unknown {
  return JSON.parse(text, (name, value, { source }) => {
    if (typeof value === "number") return { number: source };
    return name === "lastUpdated" ? Date.parse(String(value)) : value;
  });
}
