import { describe, expect, test } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import {
  decodeResource,
  encodeResource,
  parseJson,
  parseJsonBytes,
  stringifyJson,
} from "../../../gateway/fhir/index.ts";

describe("numbers keep their text", () => {
  test.each([
    "1.50",
    "1.5",
    "0",
    "-0",
    "-0.0",
    "1e3",
    "1E+3",
    "100000000000000000",
    "0.1000",
    "123456789012345678.5",
  ])("%s as a decimal", (number) => {
    const text = `{"resourceType":"Observation","status":"final","code":{"text":"x"},"valueQuantity":{"value":${number}}}`;
    const { message, faults } = decodeResource(ObservationSchema, parseJson(text).value);
    expect(faults).toEqual([]);
    expect(message?.value).toMatchObject({ case: "valueQuantity", value: { value: number } });
    expect(message && stringifyJson(encodeResource(ObservationSchema, message))).toBe(text);
  });

  test.each(["[1.50]", "1.50", '{"a" : 1.50}', "[1, 1.50]", "[-0]", '{"a":18446744073709551616}'])(
    "%s",
    (text) => {
      expect(stringifyJson(parseJson(text).value).replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
    },
  );

  test.each(["1.0", "1e0", "-0", "1.5", "2147483648"])("%s is no integer", (number) => {
    const json = parseJson(`{"resourceType":"Patient","multipleBirthInteger":${number}}`);
    const { faults } = decodeResource(PatientSchema, json.value);
    expect(faults).toMatchObject([
      {
        meaning: "PRIMITIVE_INVALID",
        parameters: { type: "integer" },
        expression: ["Patient.multipleBirth"],
      },
    ]);
  });

  test.each(["9223372036854775807", "-9223372036854775808", "0"])("the integer64 %s", (size) => {
    const { message } = decodeResource(PatientSchema, { resourceType: "Patient", photo: [{ size }] });
    expect(message?.photo[0]?.size).toBe(BigInt(size));
    expect(message && encodeResource(PatientSchema, message)["photo"]).toEqual([{ size }]);
  });

  test("in a contained resource of a type without a message", () => {
    const text =
      '{"resourceType":"Patient","contained":[{"resourceType":"Basic","extension":[{"url":"u","valueDecimal":1.50}]}]}';
    const { message } = decodeResource(PatientSchema, parseJson(text).value);
    expect(message && stringifyJson(encodeResource(PatientSchema, message))).toBe(text);
  });
});

describe("text that is no JSON", () => {
  test.each([
    "",
    " ",
    "{",
    '{"a":}',
    "{'a':1}",
    '{"a":1,}',
    "nul",
    '{"a":"\n"}',
    "\u0000",
    "[1.]",
    "+1",
    "NaN",
  ])("%j", (text) => {
    expect(parseJson(text)).toEqual({
      value: undefined,
      faults: [{ meaning: "JSON_MALFORMED", parameters: {} }],
    });
  });

  test.each(["[", '{"a":'])("a million times %s is no danger", (opening) => {
    const closing = opening === "[" ? "]" : "}";
    const text = `${opening.repeat(1e6)}1${closing.repeat(1e6)}`;
    expect(parseJson(text).faults).toMatchObject([
      { meaning: "NESTING_TOO_DEEP", parameters: { limit: "256" } },
    ]);
  });
});

describe("the bytes of a body", () => {
  test("are UTF-8, with or without a byte order mark", () => {
    const bytes = new TextEncoder().encode('{"a":"õ"}');
    expect(parseJsonBytes(bytes).value).toEqual({ a: "õ" });
    expect(parseJsonBytes(Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes)).value).toEqual({ a: "õ" });
  });

  test("in another encoding are no JSON", () => {
    const latin1 = Buffer.from('{"a":"õ"}', "latin1");
    expect(parseJsonBytes(latin1).faults).toMatchObject([{ meaning: "JSON_MALFORMED" }]);
  });
});

describe("a property named twice", () => {
  test.each([
    ['{"resourceType":"Patient","active":true,"active":false}', "Patient.active"],
    [
      '{"resourceType":"Patient","name":[{"use":"usual"},{"use":"old", "family":"a","use" :"old"}]}',
      "Patient.name[1].use",
    ],
    ['{"resourceType":"Patient","active"\t:true,"active"\r\n:false}', "Patient.active"],
    ['{"resourceType":"Patient","_birthDate":{},"a":1,"_birthDate":{}}', "Patient.birthDate"],
    ['{"resourceType":"Patient","active":true,"\\u0061ctive":true}', "Patient.active"],
    ['{"resourceType":"Patient","__proto__":1,"__proto__":1}', "Patient.__proto__"],
    [
      '[{"op":"add","path":"/active","path":"/gender","value":{"resourceType":"Basic"}}]',
      "http.body[0].path",
    ],
  ])("%s", (text, expression) => {
    expect(parseJson(text)).toEqual({
      value: undefined,
      faults: [
        { meaning: "ELEMENT_DUPLICATED", parameters: { element: expression }, expression: [expression] },
      ],
    });
  });

  test("is named a hundred times at most", () => {
    const { faults } = parseJson(`{"resourceType":"Patient"${',"active":true'.repeat(1000)}}`);
    expect(faults).toHaveLength(100);
  });

  test.each([
    '{"a":":)","b":"\\":","c":" : "}',
    '{"a":[{"b":1},{"b":1}],"b":{"b":"\\\\"}}',
    '{"a":"{\\"b\\":1,\\"b\\":2}"}',
  ])("is not found in %s", (text) => {
    expect(parseJson(text)).toEqual({ value: JSON.parse(text), faults: [] });
  });
});
