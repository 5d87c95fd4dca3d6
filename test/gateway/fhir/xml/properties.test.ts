import { type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
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
import { fhirArbitrary } from "../fhir-arbitrary.ts";
import { schemaFaults } from "./schema.ts";

const schemas: [string, DescMessage][] = [
  ["Patient", PatientSchema],
  ["RelatedPerson", RelatedPersonSchema],
  ["Observation", ObservationSchema],
];

describe.each(schemas)("any legal %s", (_, schema) => {
  // The made-up resource has elements that R5 does not know, which have no XML.
  const resource = fhirArbitrary(schema, 4).filter((json) => !JSON.stringify(json).includes('"Basic"'));

  test("is the same from JSON through message, XML and message to JSON", () => {
    fc.assert(
      fc.property(resource, fc.boolean(), (json, pretty) => {
        const message = decodedFrom(schema, parseJson(JSON.stringify(json)).value);
        const xml = writeXml(encodeResource(schema, message), pretty);
        const read = parseXml(xml);
        expect(read.faults).toEqual([]);
        const received = fromBinary(schema, toBinary(schema, decodedFrom(schema, read.value)));
        expect(received).toEqual(message);
        expect(JSON.parse(stringifyJson(encodeResource(schema, received)))).toEqual(json);
      }),
      { numRuns: 100 },
    );
  });

  test("with any part of its XML cut out or doubled is a resource or has faults", () => {
    fc.assert(
      fc.property(resource, fc.nat(), fc.nat(40), fc.boolean(), (json, at, length, doubled) => {
        const xml = writeXml(
          encodeResource(schema, decodedFrom(schema, parseJson(JSON.stringify(json)).value)),
        );
        const start = at % xml.length;
        const part = xml.slice(start, start + length);
        const { value, faults } = parseXml(
          xml.slice(0, start) + (doubled ? part + part : "") + xml.slice(start + length),
        );
        expect(value === undefined).toBe(faults.length > 0);
      }),
      { numRuns: 300 },
    );
  });
});

test("any text that strings of FHIR may hold comes back unchanged, and by the official schema it is one", () => {
  const characters = fc.oneof(
    fc.constantFrom(..."<>&\"'\t\n\r \u007f\u0085\u2028\ufeff\ud83d\udca9]]>"),
    fc
      .string({ unit: "binary", minLength: 1, maxLength: 1 })
      .filter((one) => /^[^\p{Cc}\ufffe\uffff]$/u.test(one)),
  );
  fc.assert(
    fc.property(fc.array(characters, { minLength: 1, maxLength: 20 }), (parts) => {
      const text = parts.join("").toWellFormed();
      const xml = writeXml({ resourceType: "Patient", name: [{ text }] });
      expect(parseXml(xml).value).toEqual({ resourceType: "Patient", name: [{ text }] });
      if (/\S/.test(text)) expect(schemaFaults(xml)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test("any decimal comes back as it was written", () => {
  const decimals = fc.stringMatching(/^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?([eE][+-]?[0-9]{1,3})?$/);
  fc.assert(
    fc.property(decimals, (number) => {
      const text = `{"resourceType":"Observation","valueQuantity":{"value":${number}}}`;
      const { value } = parseXml(writeXml(parseJson(text).value as FhirJson));
      expect(stringifyJson(value)).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test("any text whatever is answered", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[<>/a-c ="!?&;[\]-]{0,40}$/),
    fc
      .stringMatching(/^[<>/a-c ="!?&;[\]-]{0,40}$/)
      .map((text) => `<Patient xmlns="http://hl7.org/fhir">${text}</Patient>`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { value, faults } = parseXml(text);
      expect(value === undefined).toBe(faults.length > 0);
    }),
    { numRuns: 2000 },
  );
});

function decodedFrom(schema: DescMessage, value: unknown): never {
  const { message, faults } = decodeResource(schema, value);
  expect(faults).toEqual([]);
  return message as never;
}
