import { describe, expect, test } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { decodeResource, type JsonValue } from "../../../gateway/fhir/index.ts";

/** Meaning and expression of each fault of a Patient with the given elements. */
function faultsOf(elements: Record<string, JsonValue>): string[] {
  const { faults } = decodeResource(PatientSchema, { resourceType: "Patient", ...elements });
  return faults.map((fault) => `${fault.meaning} ${fault.expression?.join()}`);
}

describe("names", () => {
  test.each([
    ["of a resource", { colour: "red" }, "Patient.colour"],
    ["of a data type", { name: [{}, { use: "usual", nick: "J" }] }, "Patient.name[1].nick"],
    ["of an extension of a primitive", { _birthDate: { value: 1 } }, "Patient.birthDate.value"],
    ["with a type that the choice does not have", { deceasedString: "yes" }, "Patient.deceasedString"],
    ["with an underscore before what is no primitive", { _name: [{ id: "a" }] }, "Patient._name"],
    [
      "resourceType in a data type",
      { name: [{ resourceType: "HumanName" }] },
      "Patient.name[0].resourceType",
    ],
    ["that is no FHIRPath name", { "a b`c": 1 }, "Patient.`a b\\`c`"],
    ["of Object.prototype", { constructor: 1 }, "Patient.constructor"],
  ])("an unknown one %s", (_, elements, expression) => {
    expect(faultsOf(elements)).toContain(`ELEMENT_UNKNOWN ${expression}`);
  });

  test("__proto__ is an unknown name like any other and changes no object", () => {
    const json = JSON.parse(
      '{"resourceType":"Patient","__proto__":{"active":true},"name":[{"__proto__":{}}]}',
    );
    const { faults } = decodeResource(PatientSchema, json);
    expect(faults.map(({ expression }) => expression)).toEqual([
      ["Patient.__proto__"],
      ["Patient.name[0].__proto__"],
    ]);
    expect(({} as { active?: boolean }).active).toBeUndefined();
  });

  test("a very long one is cut in the expression", () => {
    const [fault] = faultsOf({ [`${"x".repeat(5000)}`]: 1 });
    expect(fault?.length).toBeLessThan(120);
  });
});

describe("JSON types", () => {
  test.each<[string, Record<string, JsonValue>, string]>([
    ["an object for a list", { name: { family: "Tamm" } }, "array Patient.name"],
    ["a list for one", { maritalStatus: [{ text: "x" }] }, "object Patient.maritalStatus"],
    ["a text for an object", { name: ["Jaan Tamm"] }, "object Patient.name[0]"],
    ["a number for a text", { name: [{ family: 5 }] }, "string Patient.name[0].family"],
    ["a text for a list of texts", { name: [{ given: "Jaan" }] }, "array Patient.name[0].given"],
    ["an object for a date", { birthDate: {} }, "string Patient.birthDate"],
    ["a text for a boolean", { active: "true" }, "boolean Patient.active"],
    ["a text for an integer", { multipleBirthInteger: "2" }, "number Patient.multipleBirth"],
    ["a number for an integer64", { photo: [{ size: 5 }] }, "string Patient.photo[0].size"],
    ["a text for an element of a primitive", { _birthDate: "x" }, "object Patient.birthDate"],
    ["an object for elements of a list", { name: [{ _given: {} }] }, "array Patient.name[0].given"],
    ["a text for a contained resource", { contained: ["x"] }, "object Patient.contained[0]"],
  ])("%s", (_, elements, typeAndExpression) => {
    const { faults } = decodeResource(PatientSchema, { resourceType: "Patient", ...elements });
    const types = faults.map(
      ({ meaning, parameters, expression }) =>
        `${meaning} ${(parameters as { expected?: string }).expected} ${expression?.join()}`,
    );
    expect(types).toEqual([`ELEMENT_TYPE_WRONG ${typeAndExpression}`]);
  });

  test.each<[Record<string, JsonValue>, string]>([
    [{ birthDate: null }, "Patient.birthDate"],
    [{ name: null }, "Patient.name"],
    [{ name: [null] }, "Patient.name[0]"],
    [{ maritalStatus: null }, "Patient.maritalStatus"],
    [{ name: [{ given: [null] }] }, "Patient.name[0].given[0]"],
    [{ name: [{ given: [null], _given: [null] }] }, "Patient.name[0].given[0]"],
    [{ name: [{ _given: [null, { id: "a" }] }] }, "Patient.name[0].given[0]"],
  ])("null: %j", (elements, expression) => {
    expect(faultsOf(elements)).toEqual([`NULL_NOT_ALLOWED ${expression}`]);
  });

  test.each([null, 1, "Patient", true, []])("%j is no resource", (json) => {
    const { message, faults } = decodeResource(PatientSchema, json);
    expect(message).toBeUndefined();
    expect(faults.map(({ expression }) => expression)).toEqual([["Patient"]]);
  });
});

describe("cardinality", () => {
  test.each<[string, Record<string, JsonValue>, string]>([
    ["an element", { communication: [{ preferred: true }] }, "Patient.communication[0].language"],
    ["the url of an extension", { extension: [{ valueCode: "x" }] }, "Patient.extension[0].url"],
    ["both elements of a link", { link: [{ id: "1" }] }, "Patient.link[0].other,Patient.link[0].type"],
    [
      "a choice",
      { extension: [{ url: "u", valueUsageContext: { code: { code: "x" } } }] },
      "Patient.extension[0].value.value",
    ],
  ])("%s that is required and missing", (_, elements, expressions) => {
    expect(faultsOf(elements)).toEqual(expressions.split(",").map((one) => `ELEMENT_MISSING ${one}`));
  });

  test("a required primitive may have extensions instead of a value", () => {
    const _status = { extension: [{ url: "http://example.org/reason", valueCode: "unknown" }] };
    const observation = { resourceType: "Observation", _status, code: { text: "x" } };
    expect(decodeResource(ObservationSchema, observation).faults).toEqual([]);
  });

  test.each<[Record<string, JsonValue>, string]>([
    [{ name: [] }, "Patient.name"],
    [{ name: [{}] }, "Patient.name[0]"],
    [{ maritalStatus: {} }, "Patient.maritalStatus"],
    [{ birthDate: "" }, "Patient.birthDate"],
    [{ name: [{ given: [] }] }, "Patient.name[0].given"],
    [{ name: [{ given: [""] }] }, "Patient.name[0].given[0]"],
    [{ _birthDate: {} }, "Patient.birthDate"],
    [{ extension: [] }, "Patient.extension"],
    [{ name: [{ _given: [] }] }, "Patient.name[0].given"],
  ])("nothing is empty: %j", (elements, expression) => {
    expect(faultsOf(elements)).toEqual([`ELEMENT_EMPTY ${expression}`]);
  });

  test.each<[Record<string, JsonValue>]>([
    [{ deceasedBoolean: true, deceasedDateTime: "2020-01-01" }],
    [{ deceasedBoolean: true, _deceasedDateTime: { id: "a" } }],
    [{ deceasedBoolean: "no", deceasedDateTime: "2020-01-01" }],
  ])("a choice has one type: %j", (elements) => {
    expect(faultsOf(elements)).toContain("CHOICE_AMBIGUOUS Patient.deceased");
  });

  test.each([
    [["a", "b"], [{ id: "x" }]],
    [["a"], [null, { id: "x" }]],
  ])("values %j and their elements %j are parallel", (given, _given) => {
    expect(faultsOf({ name: [{ given, _given }] })).toContain("ARRAYS_NOT_PARALLEL Patient.name[0].given");
  });
});

describe("resource types", () => {
  test.each(["Observation", "patient", 5, undefined])("%j is not Patient", (resourceType) => {
    const { faults } = decodeResource(PatientSchema, { resourceType });
    expect(faults).toEqual([
      {
        meaning: "RESOURCE_TYPE_WRONG",
        parameters: { expected: "Patient", element: "Patient" },
        expression: ["Patient"],
      },
    ]);
  });

  test.each([{ id: "a" }, { resourceType: 5 }, { resourceType: "Foo", bar: 1 }])(
    "%j is no resource",
    (contained) => {
      expect(faultsOf({ contained: [contained] })).toEqual(["CONTAINED_TYPE_WRONG Patient.contained[0]"]);
    },
  );

  test("a contained resource is checked as any other, and contains none", () => {
    const organization = { resourceType: "Organization", active: 1, contained: [] };
    expect(faultsOf({ contained: [organization] })).toEqual([
      "ELEMENT_TYPE_WRONG Patient.contained[0].active",
      "ELEMENT_UNKNOWN Patient.contained[0].contained",
    ]);
  });
});

describe("an extension has either a value or extensions", () => {
  const value = { url: "u", valueBoolean: true };

  test.each<[Record<string, JsonValue>, string]>([
    [{ extension: [{ url: "u" }] }, "ELEMENT_MISSING Patient.extension[0].value"],
    [{ _birthDate: { extension: [{ url: "u" }] } }, "ELEMENT_MISSING Patient.birthDate.extension[0].value"],
    [
      { modifierExtension: [{ url: "u", extension: [{ ...value, extension: [value] }] }] },
      "EXTENSION_AMBIGUOUS Patient.modifierExtension[0].extension[0]",
    ],
    [
      { contact: [{ extension: [{ ...value, extension: [value] }] }] },
      "EXTENSION_AMBIGUOUS Patient.contact[0].extension[0]",
    ],
  ])("%j", (elements, fault) => {
    expect(faultsOf(elements)).toEqual([fault]);
  });
});

describe("depth", () => {
  test("64 objects in each other are read", () => {
    expect(faultsOf({ extension: [nested(63)] })).toEqual([]);
  });

  test("one more is refused", () => {
    const [fault] = faultsOf({ extension: [nested(64)] });
    expect(fault).toMatch(/^NESTING_TOO_DEEP Patient(\.extension\[0\]){64}$/);
  });

  test("a contained resource that is kept as text has a limit too", () => {
    const contained = [{ resourceType: "Basic", extension: [nested(64)] }];
    expect(faultsOf({ contained })).toEqual(["NESTING_TOO_DEEP Patient.contained[0]"]);
  });

  function nested(levels: number): JsonValue {
    let extension: JsonValue = { url: "u", valueBoolean: true };
    for (let level = 1; level < levels; level += 1) extension = { url: "u", extension: [extension] };
    return extension;
  }
});

test("all faults of a body are reported, each with its element", () => {
  expect(
    faultsOf({
      gender: 1,
      birthDate: "1990-02-30",
      name: [{ use: "" }, { period: { start: "x" } }],
      link: [{}],
    }),
  ).toEqual([
    "ELEMENT_TYPE_WRONG Patient.gender",
    "PRIMITIVE_INVALID Patient.birthDate",
    "ELEMENT_EMPTY Patient.name[0].use",
    "PRIMITIVE_INVALID Patient.name[1].period.start",
    "ELEMENT_EMPTY Patient.link[0]",
    "ELEMENT_MISSING Patient.link[0].other",
    "ELEMENT_MISSING Patient.link[0].type",
  ]);
});

test("a body of nothing but faults yields no more than a thousand", () => {
  expect(faultsOf({ name: Array.from({ length: 5000 }, () => 1) })).toHaveLength(1000);
});

test.each<[string, (rest: JsonValue) => Record<string, JsonValue>]>([
  ["of a list", (rest) => ({ name: [...Array(1000).fill({}), rest] })],
  [
    "of a list of extensions of primitives",
    (rest) => ({ name: [{ _given: [...Array(1000).fill({}), rest] }] }),
  ],
  [
    "of an object",
    (rest) => ({ ...Object.fromEntries([...Array(1000).keys()].map((n) => [`x${n}`, 1])), name: [rest] }),
  ],
])("what comes after the last of them is not looked at: the rest %s", (_, elements) => {
  const rest = new Proxy({}, { ownKeys: () => expect.fail("It was looked at.") });
  expect(faultsOf(elements(rest))).toHaveLength(1000);
});
