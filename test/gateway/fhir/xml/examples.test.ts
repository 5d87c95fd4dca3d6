import type { DescMessage } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
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
import { exampleFiles, exampleSchemas, examplesOf, exampleText } from "../../official-examples.ts";
import { schemaFaults } from "./schema.ts";

describe.each(Object.entries(exampleSchemas))("the official R5 examples of %s in XML", (type, schema) => {
  test.each(examplesOf(type))(
    "%s is valid by the official schema and comes back as the same message",
    (file) => {
      const { message } = decodeResource(schema, parseJson(exampleText(file)).value);
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
    },
  );
});

// One of each type that the gateway writes without a message of its own, and of what it may contain.
const others =
  /^(?:AuditEvent|Bundle-(?:example|xds)|CapabilityStatement|CodeSystem-example|OperationDefinition-example|OperationOutcome|Parameters|SearchParameter-example|StructureDefinition-example|Organization|Specimen|Group)/;

test.each(exampleFiles.filter((file) => others.test(file)))(
  "%s is the same after a way through XML",
  (file) => {
    const json = parseJson(exampleText(file)).value as FhirJson;
    const xml = writeXml(json);
    expect(schemaFaults(xml)).toEqual([]);
    expect(JSON.parse(stringifyJson(parseXml(xml).value))).toEqual(
      JSON.parse(stringifyJson(withRewrittenDivs(json))),
    );
  },
);

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
