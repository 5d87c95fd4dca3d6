import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type DescFile, type DescMessage, getOption, hasOption } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { file_patientindex_v1_contained_resource } from "#proto/patientindex/v1/contained_resource_pb.ts";
import { file_patientindex_v1_datatypes } from "#proto/patientindex/v1/datatypes_pb.ts";
import { choice_min, element, resource_type } from "#proto/patientindex/v1/fhir_pb.ts";
import { file_patientindex_v1_observation } from "#proto/patientindex/v1/observation_pb.ts";
import { file_patientindex_v1_patient } from "#proto/patientindex/v1/patient_pb.ts";
import { file_patientindex_v1_related_person } from "#proto/patientindex/v1/related_person_pb.ts";
import { generateProto } from "../../proto/generate/generate.ts";

const protoFolder = join(import.meta.dirname, "..", "..", "proto");

test.each([...generateProto()])("%s is what the generator writes", (path, text) => {
  expect(readFileSync(join(protoFolder, path), "utf8")).toBe(text);
});

interface JsonSchema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

const schemaFile = createRequire(import.meta.url).resolve("hl7.fhir.r5.core/openapi/fhir.schema.json");
const { definitions } = JSON.parse(readFileSync(schemaFile, "utf8")) as {
  readonly definitions: Readonly<Record<string, JsonSchema>>;
};

const messages = [
  file_patientindex_v1_datatypes,
  file_patientindex_v1_patient,
  file_patientindex_v1_related_person,
  file_patientindex_v1_observation,
  file_patientindex_v1_contained_resource,
]
  .flatMap((file: DescFile) => file.messages.flatMap(withNested))
  .filter(({ name }) => name !== "ContainedResource");

describe.each(messages.map((message) => [message.typeName, message] as const))("%s", (typeName, message) => {
  const path = typeName.replace("patientindex.v1.", "").split(".");
  const contained = path[0] === "ContainedResource";
  const definition = definitions[(contained ? path.slice(1) : path).join("_")];

  const official = Object.keys(definition?.properties ?? {}).filter(
    (name) => !differsFromDefinition(path, name),
  );

  test("has the elements of the official JSON schema", () => {
    const elements = message.fields
      .filter((field) => hasOption(field, element))
      .map(({ jsonName }) => jsonName);
    expect(elements.sort()).toEqual(official.filter((name) => !name.startsWith("_")).sort());
  });

  test("has ids and extensions on the primitives that have them in the official JSON schema", () => {
    const elementNames = message.fields.map((field) => `_${field.jsonName.replace(/Element$/, "")}`);
    expect(elementNames).toEqual(expect.arrayContaining(official.filter((name) => name.startsWith("_"))));
  });

  test("requires what the official JSON schema requires", () => {
    const required = (definition?.required ?? []).filter((name) => name !== "resourceType");
    const ours = message.fields.filter((field) => getOption(field, element).min > 0);
    expect(ours.map(({ jsonName }) => jsonName)).toEqual(expect.arrayContaining(required));
  });

  test("numbers the fields of the index from 200, and no FHIR element", () => {
    const own = message.fields.filter(({ number }) => number >= 200).map(({ name }) => name);
    expect(own).toEqual(hasOption(message, resource_type) && !contained ? ["etag"] : []);
  });
});

test("a choice is required where R5 says so", () => {
  const required = messages.flatMap(({ typeName, oneofs }) =>
    oneofs.filter((oneof) => getOption(oneof, choice_min) > 0).map(({ name }) => `${typeName}.${name}`),
  );
  expect(required).toEqual(["patientindex.v1.UsageContext.value"]);
});

/** Where the schema is not what the definitions say, and what our messages leave out. */
function differsFromDefinition(path: readonly string[], name: string): boolean {
  if (name === "resourceType") return true;
  if (name === "contained") return path[0] === "ContainedResource";
  // An attribute, by its definition.
  if (name === "_url") return path[0] === "Extension";
  // Elements inside a data type that are no backbone elements, by their definition.
  return (
    name === "modifierExtension" && path.length > 1 && path[0] !== "ContainedResource" && !isResource(path[0])
  );
}

function isResource(type: string | undefined): boolean {
  return type === "Patient" || type === "RelatedPerson" || type === "Observation";
}

function withNested(message: DescMessage): DescMessage[] {
  return [message, ...message.nestedMessages.flatMap(withNested)];
}
