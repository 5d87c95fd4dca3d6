import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { DescMessage } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import {
  decodeResource,
  encodeResource,
  type FhirJson,
  parseJson,
  parseXml,
  stringifyJson,
  writeXml,
} from "../../../../gateway/fhir/index.ts";
import { xhtmlElement } from "../../../../gateway/fhir/xml/xhtml.ts";
import { schemaFaults } from "./schema.ts";

const folder = dirname(createRequire(import.meta.url).resolve("hl7.fhir.r5.examples/package.json"));
const files = readdirSync(folder);

const schemas: Readonly<Record<string, DescMessage>> = {
  Patient: PatientSchema,
  RelatedPerson: RelatedPersonSchema,
  Observation: ObservationSchema,
};

describe.each(Object.entries(schemas))("the official R5 examples of %s in XML", (type, schema) => {
  const ours = files.filter((file) => file.startsWith(`${type}-`));

  test.each(ours)("%s is valid by the official schema and comes back as the same message", (file) => {
    const { message } = decodeResource(schema, parseJson(readFileSync(join(folder, file), "utf8")).value);
    const json = encodeResource(schema, message as never);
    for (const pretty of [false, true]) {
      const xml = writeXml(json, pretty);
      expect(schemaFaults(xml)).toEqual([]);
      const read = parseXml(xml);
      expect(read.faults).toEqual([]);
      expect(stringifyJson(encodeResource(schema, decodedFrom(schema, read.value)))).toBe(
        stringifyJson(withRewrittenDivs(json)),
      );
    }
  });
});

// One of each type that the gateway writes without a message of its own, and of what it may contain.
const others =
  /^(?:AuditEvent|Bundle-(?:example|xds)|CapabilityStatement|CodeSystem-example|OperationDefinition-example|OperationOutcome|Parameters|SearchParameter-example|StructureDefinition-example|Organization|Specimen|Group)/;

test.each(files.filter((file) => others.test(file)))("%s is the same after a way through XML", (file) => {
  const json = parseJson(readFileSync(join(folder, file), "utf8")).value as FhirJson;
  const xml = writeXml(json);
  expect(schemaFaults(xml)).toEqual([]);
  expect(JSON.parse(stringifyJson(parseXml(xml).value))).toEqual(
    JSON.parse(stringifyJson(withRewrittenDivs(json))),
  );
});

function decodedFrom(schema: DescMessage, value: unknown): never {
  const { message, faults } = decodeResource(schema, value);
  expect(faults).toEqual([]);
  return message as never;
}

/** Character references in narratives come back as the characters. */
function withRewrittenDivs(json: FhirJson): FhirJson {
  return JSON.parse(stringifyJson(json), (name, value, { source }) => {
    if (name === "div") return xhtmlElement(value as string);
    return typeof value === "number" ? JSON.rawJSON(source ?? "") : value;
  }) as FhirJson;
}
