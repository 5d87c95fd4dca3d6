import { describe, expect, test } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { decodeResource, encodeResource, type JsonValue, parseJson } from "../../../gateway/fhir/index.ts";

interface Samples {
  readonly good: readonly JsonValue[];
  readonly bad: readonly JsonValue[];
}

const samples: Readonly<Record<string, Samples>> = {
  Base64Binary: {
    good: ["aGVp", "aGU=", "aA==", "A".repeat(4_000_000), `${"A".repeat(49_999_999)}=`],
    bad: ["a", "aGV", "aG\nVp", "a===", "====", "aG=p", "aGVpa===", "ä", "A".repeat(50_000_001)],
  },
  Canonical: { good: ["http://a/b|1.0"], bad: ["a b", "a\tb"] },
  Code: { good: ["a", "a b", "replaced-by"], bad: [" a", "a ", "a  b", "a\tb", "\u0000"] },
  Date: {
    good: [
      "2024",
      "2024-02",
      "2024-02-29",
      "2000-02-29",
      "1900-02-28",
      "0001-01-01",
      "9999-12-31",
      "2023-04-30",
    ],
    bad: [
      "0000",
      "0000-02-29",
      "2023-02-29",
      "1900-02-29",
      "2023-04-31",
      "2023-13",
      "2023-00",
      "2023-1-1",
      "24",
      "2024-01-01T00:00:00Z",
      "2024-01-32",
      " 2024",
    ],
  },
  DateTime: {
    good: [
      "2024",
      "2024-02",
      "2024-02-29",
      "2024-02-29T23:59:59Z",
      "2024-06-30T23:59:60.123456789+14:00",
      "2024-01-01T00:00:00-13:59",
    ],
    bad: [
      "2024-01-01T00:00",
      "2024-01-01T00:00:00",
      "2024-01-01T24:00:00Z",
      "2024-02-30T00:00:00Z",
      "2024-01-01T00:00:00+14:01",
      "2024-01Z",
      "2024-01-01Z",
      "2024-01-01T00:00:00.Z",
      "2024-01-01t00:00:00z",
    ],
  },
  Id: { good: ["a", "A-1.b", "1".repeat(64)], bad: ["a_b", "1".repeat(65), "ä"] },
  Instant: {
    good: ["2024-02-29T12:00:00.000+02:00", "2024-02-29T12:00:00Z"],
    bad: ["2024-02-29", "2023-02-29T12:00:00Z", "2024-02-29T12:00:00"],
  },
  Integer: { good: [0, -1, 2147483647, -2147483648], bad: [2147483648, -2147483649, 1.5] },
  Integer64: {
    good: ["0", "-9223372036854775808", "9223372036854775807"],
    bad: ["9223372036854775808", "-9223372036854775809", "1.0", "x", "00", "-0"],
  },
  Markdown: { good: ["# a\r\n\tb", " "], bad: ["a\u0000", "a\u001b"] },
  Oid: { good: ["urn:oid:1.2.3", "urn:oid:2.0"], bad: ["1.2.3", "urn:oid:3.1", "urn:oid:1.02", "urn:oid:1"] },
  PositiveInt: { good: [1, 2147483647], bad: [0, -1, 2147483648] },
  String: { good: ["a\r\n\tb", " ", "𝒳", "õ"], bad: ["a\u0000", "\u0008", "\ud800", "a\udc00b"] },
  Time: { good: ["00:00:00", "23:59:60.5"], bad: ["24:00:00", "1:00:00", "12:00", "12:00:00Z"] },
  UnsignedInt: { good: [0, 2147483647], bad: [-1, 2147483648] },
  Uri: { good: ["urn:x", "õ", "#a"], bad: ["a b", "\u00a0"] },
  Url: { good: ["http://a"], bad: ["http://a b"] },
  Uuid: {
    good: ["urn:uuid:c757873d-ec9a-4326-a141-556f43239520"],
    bad: ["c757873d-ec9a-4326-a141-556f43239520", "urn:uuid:C757873D-ec9a-4326-a141-556f43239520"],
  },
};

describe.each(Object.entries(samples))("%s", (type, { good, bad }) => {
  const patient = (value: JsonValue) => ({
    resourceType: "Patient",
    extension: [{ url: "http://example.org", [`value${type}`]: value }],
  });

  test.each(good.map((value) => [String(value).slice(0, 40), value]))("%j is one", (_, value) => {
    const { message, faults } = decodeResource(PatientSchema, patient(value));
    expect(faults).toEqual([]);
    expect(message && encodeResource(PatientSchema, message)).toEqual(patient(value));
  });

  test.each(bad.map((value) => [String(value).slice(0, 40), value]))("%j is none", (_, value) => {
    expect(decodeResource(PatientSchema, patient(value)).faults).toMatchObject([
      {
        meaning: "PRIMITIVE_INVALID",
        parameters: {
          type: type.charAt(0).toLowerCase() + type.slice(1),
          element: "Patient.extension[0].value",
        },
        expression: ["Patient.extension[0].value"],
      },
    ]);
  });
});

test.each(["0.1234567890123456789", "1234567890123456789", "1e1234567890"])(
  "%s has more digits than a decimal",
  (number) => {
    const json = parseJson(`{"resourceType":"Patient","extension":[{"url":"u","valueDecimal":${number}}]}`);
    expect(decodeResource(PatientSchema, json.value).faults).toMatchObject([
      { meaning: "PRIMITIVE_INVALID", parameters: { type: "decimal" } },
    ]);
  },
);

test("extensions of a repeated primitive without any value come back beside nulls", () => {
  const _given = [{ id: "a" }, { extension: [{ url: "http://example.org", valueCode: "masked" }] }];
  const { message } = decodeResource(PatientSchema, { resourceType: "Patient", name: [{ _given }] });
  expect(message?.name[0]?.given).toEqual(["", ""]);
  expect(message && encodeResource(PatientSchema, message)["name"]).toEqual([
    { given: [null, null], _given },
  ]);
});

test("the extension of a choice without a value keeps its type", () => {
  const patient = {
    resourceType: "Patient",
    _deceasedDateTime: { extension: [{ url: "http://example.org", valueCode: "unknown" }] },
  };
  const { message } = decodeResource(PatientSchema, patient);
  expect(message?.deceased.case).toBeUndefined();
  expect(message && encodeResource(PatientSchema, message)).toEqual(patient);
});
