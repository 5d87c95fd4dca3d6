import { type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { decodeResource, encodeResource, parseJson, stringifyJson } from "../../../gateway/fhir/index.ts";
import { checkStructure } from "../../../src/structure/index.ts";
import { fhirArbitrary, type Json } from "./fhir-arbitrary.ts";

const schemas: [string, DescMessage][] = [
  ["Patient", PatientSchema],
  ["RelatedPerson", RelatedPersonSchema],
  ["Observation", ObservationSchema],
];

describe.each(schemas)("any legal %s", (_, schema) => {
  const resource = fhirArbitrary(schema, 4);

  test("comes out as it went in, through message and bytes, and the core finds nothing wrong with it", () => {
    fc.assert(
      fc.property(resource, (json) => {
        const { message, faults } = decodeResource(schema, parseJson(JSON.stringify(json)).value);
        expect(faults).toEqual([]);
        const received = fromBinary(schema, toBinary(schema, message as never));
        expect(received).toEqual(message);
        expect(checkStructure(schema, received)).toEqual([]);
        expect(JSON.parse(stringifyJson(encodeResource(schema, received)))).toEqual(json);
      }),
      { numRuns: 100 },
    );
  });

  test("with one value anywhere replaced by any other never throws, and is either refused or stays", () => {
    fc.assert(
      fc.property(resource, fc.nat(), fc.jsonValue(), (json, at, other) => {
        const broken = replaced(json, at, other);
        const { message, faults } = decodeResource(schema, broken);
        if (message === undefined) expect(faults[0]?.expression?.[0]).toMatch(/^[A-Z][A-Za-z]+/);
        else expect(checkStructure(schema, message as never)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

test("any JSON whatever is answered, by a message or by faults", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const { message, faults } = decodeResource(PatientSchema, json);
      expect(message === undefined).toBe(faults.length > 0);
    }),
    { numRuns: 500 },
  );
});

test("any object of the names of a Patient is answered", () => {
  const names = [
    "resourceType",
    ...PatientSchema.fields.flatMap(({ jsonName }) => [jsonName, `_${jsonName}`]),
  ];
  const leaf = fc.oneof(fc.jsonValue(), fc.constantFrom("Patient", null, [], {}, "", [null]));
  const object = fc.dictionary(fc.constantFrom(...names, "__proto__"), leaf);
  fc.assert(
    fc.property(object, (json) => {
      const { message, faults } = decodeResource(PatientSchema, { ...json, resourceType: "Patient" });
      expect(message === undefined).toBe(faults.length > 0);
    }),
    { numRuns: 500 },
  );
});

test("any text is answered, and what is parsed says what JSON.parse says", () => {
  const texts = fc.oneof(fc.string(), fc.json(), fc.stringMatching(/^[[\]{},:"\\01.e-]{0,30}$/));
  fc.assert(
    fc.property(texts, (text) => {
      const { value, faults } = parseJson(text);
      if (faults.length === 0) expect(JSON.parse(stringifyJson(value))).toEqual(JSON.parse(text));
    }),
    { numRuns: 1000 },
  );
});

/** A copy of a JSON value with its n-th part (counted through the tree, round and round) replaced. */
function replaced(json: Json, at: number, other: Json): Json {
  let left = at % countOf(json);
  const copy = (value: Json): Json => {
    if (left-- === 0) return other;
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, copy(child as Json)]));
  };
  return copy(json);
}

function countOf(json: Json): number {
  if (typeof json !== "object" || json === null) return 1;
  return Object.values(json).reduce<number>((sum, child) => sum + countOf(child as Json), 1);
}
