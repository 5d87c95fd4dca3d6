import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { checkStructure } from "../../src/structure/index.ts";

type PatientInit = MessageInitShape<typeof PatientSchema>;

/** Meaning and expression of each fault of a Patient with the given fields. */
function faultsOf(patient: PatientInit): string[] {
  const faults = checkStructure(PatientSchema, create(PatientSchema, patient));
  return faults.map(({ meaning, expression }) => `${meaning} ${expression?.join()}`);
}

test.each<[string, PatientInit]>([
  ["an empty patient", {}],
  ["primitives with extensions only", { birthDateElement: { extension: [flag()] } }],
  [
    "a null among values that has an extension",
    { name: [{ given: ["", "b"], givenElement: [{ id: "x" }, {}] }] },
  ],
  [
    "a contained resource of another type",
    { contained: [other('{"resourceType":"Practitioner","id":"p"}')] },
  ],
  ["an image of many megabytes", { photo: [{ data: `${"A".repeat(49_999_999)}=` }] }],
  ["a choice with an extension of its value", { deceased: yes(), deceasedBooleanElement: { id: "a" } }],
])("nothing is wrong with %s", (_, patient) => {
  expect(faultsOf(patient)).toEqual([]);
});

describe("primitives", () => {
  test.each<[string, string, PatientInit]>([
    ["date", "Patient.birthDate", { birthDate: "2023-02-29" }],
    ["code", "Patient.gender", { gender: " male" }],
    ["string", "Patient.name[1].given[1]", { name: [{}, { given: ["a", "b\u0000"] }] }],
    ["dateTime", "Patient.deceased", { deceased: { case: "deceasedDateTime", value: "2020-01-01T10:00" } }],
    ["base64Binary", "Patient.photo[0].data", { photo: [{ data: "A".repeat(50_000_001) }] }],
    ["base64Binary", "Patient.photo[0].data", { photo: [{ data: "A===" }] }],
    ["base64Binary", "Patient.photo[0].data", { photo: [{ data: "====" }] }],
    ["positiveInt", "Patient.photo[0].pages", { photo: [{ pages: 0 }] }],
    ["positiveInt", "Patient.photo[0].pages", { photo: [{ pages: 2 ** 31 }] }],
    [
      "decimal",
      "Patient.extension[0].value",
      { extension: [{ url: "u", value: { case: "valueDecimal", value: "1," } }] },
    ],
    ["instant", "Patient.meta.lastUpdated", { meta: { lastUpdated: { seconds: 10n ** 15n } } }],
    ["instant", "Patient.meta.lastUpdated", { meta: { lastUpdated: { nanos: -1 } } }],
  ])("no %s at %s (%#)", (type, element, patient) => {
    const faults = checkStructure(PatientSchema, create(PatientSchema, patient));
    expect(faults).toContainEqual({
      meaning: "PRIMITIVE_INVALID",
      parameters: { type, element },
      expression: [element],
    });
  });
});

describe("cardinality", () => {
  test.each<[PatientInit, string[]]>([
    [{ communication: [{ preferred: true }] }, ["ELEMENT_MISSING Patient.communication[0].language"]],
    [
      { extension: [{ id: "1" }] },
      ["ELEMENT_MISSING Patient.extension[0].url", "ELEMENT_MISSING Patient.extension[0].value"],
    ],
    [{ name: [{}] }, ["ELEMENT_EMPTY Patient.name[0]"]],
    [{ gender: "" }, ["ELEMENT_EMPTY Patient.gender"]],
    [{ birthDateElement: {} }, ["ELEMENT_EMPTY Patient.birthDate"]],
    [{ contained: [{}] }, ["ELEMENT_EMPTY Patient.contained[0]"]],
    [{ name: [{ given: ["a", "b"], givenElement: [{}] }] }, ["ARRAYS_NOT_PARALLEL Patient.name[0].given"]],
    [{ name: [{ given: ["a", ""] }] }, ["NULL_NOT_ALLOWED Patient.name[0].given[1]"]],
    [{ name: [{ given: [""], givenElement: [{}] }] }, ["NULL_NOT_ALLOWED Patient.name[0].given[0]"]],
    [{ deceased: yes(), deceasedDateTimeElement: { id: "a" } }, ["CHOICE_AMBIGUOUS Patient.deceased"]],
  ])("%j", (patient, faults) => {
    expect(faultsOf(patient)).toEqual(faults);
  });

  test("a required choice", () => {
    const value = { case: "valueUsageContext", value: { code: { code: "a" } } } as const;
    const patient = { extension: [{ url: "u", value }] };
    expect(faultsOf(patient)).toEqual(["ELEMENT_MISSING Patient.extension[0].value.value"]);
  });

  test("required elements of an Observation", () => {
    const faults = checkStructure(ObservationSchema, create(ObservationSchema));
    expect(faults.map(({ expression }) => expression)).toEqual([
      ["Observation.status"],
      ["Observation.code"],
    ]);
  });
});

describe("extensions have either a value or extensions", () => {
  const both: ExtensionInit = {
    url: "u",
    value: { case: "valueBoolean", value: true },
    extension: [flag()],
  };

  test.each<[PatientInit, string[]]>([
    [{ extension: [{ url: "u" }] }, ["ELEMENT_MISSING Patient.extension[0].value"]],
    [{ modifierExtension: [{ url: "u" }] }, ["ELEMENT_MISSING Patient.modifierExtension[0].value"]],
    [
      { extension: [{ url: "u", extension: [{ url: "v" }] }] },
      ["ELEMENT_MISSING Patient.extension[0].extension[0].value"],
    ],
    [{ name: [{ extension: [{ url: "u" }] }] }, ["ELEMENT_MISSING Patient.name[0].extension[0].value"]],
    [
      { birthDateElement: { extension: [{ url: "u" }] } },
      ["ELEMENT_MISSING Patient.birthDate.extension[0].value"],
    ],
    [
      { name: [{ given: [""], givenElement: [{ extension: [both] }] }] },
      ["EXTENSION_AMBIGUOUS Patient.name[0].given[0].extension[0]"],
    ],
    [{ extension: [both] }, ["EXTENSION_AMBIGUOUS Patient.extension[0]"]],
    [
      { extension: [{ url: "u", valueStringElement: { id: "1" }, extension: [flag()] }] },
      ["EXTENSION_AMBIGUOUS Patient.extension[0]"],
    ],
    [{ extension: [{ url: "u", valueStringElement: { id: "1" } }] }, []],
  ])("%j", (patient, faults) => {
    expect(faultsOf(patient)).toEqual(faults);
  });

  test("in other resources too", () => {
    const observation = { status: "final", code: { text: "x" }, extension: [{ url: "u" }] };
    const faults = checkStructure(ObservationSchema, create(ObservationSchema, observation));
    expect(faults.map(({ expression }) => expression)).toEqual([["Observation.extension[0].value"]]);
  });
});

describe("contained resources", () => {
  test("one with a message stands where it is contained", () => {
    const contained = [{ resource: { case: "organization", value: { active: true, name: "" } } } as const];
    expect(faultsOf({ contained })).toEqual(["ELEMENT_EMPTY Patient.contained[0].name"]);
  });

  test.each([
    ["{", "JSON_MALFORMED"],
    ["[]", "CONTAINED_TYPE_WRONG"],
    ['{"id":"a"}', "CONTAINED_TYPE_WRONG"],
    ['{"resourceType":"Patient"}', "CONTAINED_TYPE_WRONG"],
    ['{"resourceType":"Foo","bar":1}', "CONTAINED_TYPE_WRONG"],
    ['{"resourceType":"DomainResource"}', "CONTAINED_TYPE_WRONG"],
    [`{"resourceType":"Basic","a":${"[".repeat(64)}${"]".repeat(64)}}`, "NESTING_TOO_DEEP"],
  ])("one given as text: %s", (text, meaning) => {
    expect(faultsOf({ contained: [other(text)] })).toEqual([`${meaning} Patient.contained[0]`]);
  });
});

test("a field that the index does not know is named by the message that has it", () => {
  const patient = create(PatientSchema, { name: [{ family: "Tamm" }] });
  const [name] = patient.name;
  if (name !== undefined) name.$unknown = [{ no: 99, wireType: 0, data: new Uint8Array([1]) }];
  expect(
    checkStructure(PatientSchema, patient).map(({ meaning, expression }) => [meaning, expression]),
  ).toEqual([["ELEMENT_UNKNOWN", ["Patient.name[0]"]]]);
});

test("messages may lie 64 deep in each other", () => {
  expect(faultsOf({ extension: [nested(63)] })).toEqual([]);
  expect(faultsOf({ extension: [nested(64)] })[0]).toMatch(
    /^NESTING_TOO_DEEP Patient(\.extension\[0\]){64}$/,
  );
});

test("an element may be there a thousand times, an address a hundred times", () => {
  const names = (length: number) => Array.from({ length }, () => ({ family: "Tamm" }));
  const addresses = (length: number) => Array.from({ length }, () => ({ country: "FI" }));
  expect(faultsOf({ name: names(1000), address: addresses(100) })).toEqual([]);
  expect(faultsOf({ name: names(1001), address: addresses(101) })).toEqual([
    "ELEMENT_REPEATED_TOO_OFTEN Patient.name",
    "ELEMENT_REPEATED_TOO_OFTEN Patient.address",
  ]);
  const extension = Array.from({ length: 1001 }, () => ({ url: "u" }));
  expect(faultsOf({ name: [{ extension }] })).toEqual([
    "ELEMENT_REPEATED_TOO_OFTEN Patient.name[0].extension",
  ]);
});

test("no more than a thousand faults are kept", () => {
  const given = Array.from({ length: 1000 }, () => "");
  expect(faultsOf({ name: Array.from({ length: 5 }, () => ({ given })) })).toHaveLength(1000);
});

type ExtensionInit = NonNullable<PatientInit["extension"]>[number];

function nested(levels: number): ExtensionInit {
  let extension: ExtensionInit = { url: "u", value: { case: "valueBoolean", value: true } };
  for (let level = 1; level < levels; level += 1) extension = { url: "u", extension: [extension] };
  return extension;
}

function other(json: string) {
  return { resource: { case: "otherJson", value: json } } as const;
}

function flag(): ExtensionInit {
  return { url: "u", value: { case: "valueBoolean", value: true } };
}

function yes() {
  return { case: "deceasedBoolean", value: true } as const;
}
