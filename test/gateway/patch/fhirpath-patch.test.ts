import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import {
  decodeResource,
  type FhirJson,
  parseJson,
  parseXml,
  stringifyJson,
  writeXml,
} from "../../../gateway/fhir/index.ts";
import { applyOperations } from "../../../gateway/patch/fhirpath/apply.ts";
import { readOperations } from "../../../gateway/patch/fhirpath/operations.ts";
import { MpiError } from "../../../src/errors/index.ts";
import { fhirArbitrary } from "../fhir/fhir-arbitrary.ts";
import { officialCases } from "./official-cases.ts";
import { type Json, operation, parameters } from "./patch-parameters.ts";

const patient: FhirJson = {
  resourceType: "Patient",
  extension: [
    { url: "urn:a", valueString: "A" },
    { url: "urn:b", valueInteger: 2 },
  ],
  identifier: [
    { use: "official", system: "urn:x", value: "1" },
    { use: "usual", system: "urn:x", value: "2", period: { end: "2020" } },
  ],
  active: true,
  name: [
    { use: "official", family: "O'Hara", given: ["Ann", null, "Beth"], _given: [null, { id: "g" }, null] },
    { use: "usual", given: ["Annie"] },
  ],
  birthDate: "1970-01-01",
  _birthDate: { extension: [{ url: "urn:time", valueDateTime: "1970-01-01T10:00:00Z" }] },
  multipleBirthInteger: 2,
};

function patched(...operations: readonly Json[]): FhirJson {
  return applyOperations(patient, readOperations(parameters(...operations)));
}

function refusalOf(work: () => unknown): {
  meaning: string;
  parameters: object;
  expression: readonly string[];
} {
  try {
    work();
  } catch (error) {
    if (error instanceof MpiError) return JSON.parse(JSON.stringify(error.issues[0]));
    throw error;
  }
  throw new Error("It was not refused");
}

describe.each(["JSON", "XML"])("the official cases with a patch in %s", (format) => {
  test.each(officialCases)("$name", ({ input, patch, output }) => {
    const body = format === "JSON" ? patch : parseXml(writeXml(patch)).value;
    const work = () => applyOperations(input, readOperations(body));
    if (output === undefined) expect(refusalOf(work).meaning).toBe("PATCH_NOT_APPLICABLE");
    else expect(work()).toEqual(output);
  });
});

describe("a path leads to", () => {
  const values: readonly (readonly [path: string, before: unknown])[] = [
    ["Patient.name[0].family", "O'Hara"],
    ["name[0].family", "O'Hara"],
    ["Patient.name.first().family", "O'Hara"],
    ["Patient.name.family", "O'Hara"],
    ["Patient.name.last().given", "Annie"],
    ["Patient.name.where(use = 'usual').given", "Annie"],
    ["Patient.name.where(use='usual').given[0]", "Annie"],
    ["Patient.name.where(family = 'O\\'Hara').given[2]", "Beth"],
    ["Patient.name.where(family.exists()).given.where($this = 'Beth')", "Beth"],
    ["Patient.name.where(family.empty()).given", "Annie"],
    ["Patient.name.where(use != 'official').given", "Annie"],
    ["Patient.identifier.where(system = 'urn:x' and value = '2').value", "2"],
    ["Patient.identifier.where(value = '9' or value = '2' and use = 'usual').value", "2"],
    ["Patient.identifier.where((value = '9' or value = '2') and use = 'usual').value", "2"],
    ["Patient.identifier.where(period.end = @2020).value", "2"],
    ["Patient.`identifier`[1].value", "2"],
    ["Patient.extension('urn:a').value", "A"],
    ["Patient.extension.where(url = 'urn:a').value.ofType(string)", "A"],
    ["Patient.where(active).name[1].given", "Annie"],
    ["Patient.where(active = true and multipleBirth = 2).name[1].given", "Annie"],
  ];
  test.each(values)("%s", (path, before) => {
    const after = JSON.stringify(patched(operation("replace", { path, value: { valueString: "changed" } })));
    expect(after).toBe(JSON.stringify(patient).replace(JSON.stringify(before), '"changed"'));
  });
});

describe("operations on what JSON has in two places", () => {
  test("a primitive in a list goes with its extensions", () => {
    const [name] = patched(operation("move", { path: "Patient.name[0].given", source: 1, destination: 0 }))[
      "name"
    ] as Json[];
    expect([name?.["given"], name?.["_given"]]).toEqual([
      [null, "Ann", "Beth"],
      [{ id: "g" }, null, null],
    ]);
  });

  test("a value with an extension is put in with it", () => {
    const value = { valueString: "Cyd", _valueString: { id: "c" } };
    const [name] = patched(operation("insert", { path: "Patient.name[0].given", index: 3, value }))[
      "name"
    ] as Json[];
    expect(name?.["given"]).toEqual(["Ann", null, "Beth", "Cyd"]);
    expect(name?.["_given"]).toEqual([null, { id: "g" }, null, { id: "c" }]);
  });

  test("a primitive takes an extension", () => {
    // Extension is no type of a parameter: it comes as its parts.
    const value = {
      part: [
        { name: "url", valueUri: "urn:new" },
        { name: "value", valueBoolean: true },
      ],
    };
    const { _birthDate } = patched(operation("add", { path: "Patient.birthDate", name: "extension", value }));
    expect(_birthDate).toMatchObject({
      extension: [{ url: "urn:time" }, { url: "urn:new", valueBoolean: true }],
    });
  });

  test("the value goes with all it has", () => {
    const after = patched(operation("delete", { path: "Patient.birthDate" }));
    expect(Object.keys(after)).not.toEqual(expect.arrayContaining(["birthDate", "_birthDate"]));
    expect(
      patched(operation("delete", { path: "Patient.birthDate.extension" }))["_birthDate"],
    ).toBeUndefined();
  });

  test("a choice changes its type", () => {
    const value = { valueBoolean: true };
    const after = patched(operation("replace", { path: "Patient.multipleBirth", value }));
    expect([after["multipleBirthBoolean"], after["multipleBirthInteger"]]).toEqual([true, undefined]);
    const dated = patched(
      operation("add", { path: "Patient", name: "deceased", value: { valueDateTime: "2020" } }),
    );
    expect(dated["deceasedDateTime"]).toBe("2020");
  });

  test("numbers stay as they were written", () => {
    const text = '{"resourceType":"Patient","extension":[{"url":"u","valueDecimal":1.50}],"active":true}';
    const given = parseJson(text).value as FhirJson;
    const operations = readOperations(parameters(operation("delete", { path: "Patient.active" })));
    expect(stringifyJson(applyOperations(given, operations))).toContain("1.50");
  });
});

describe("refused is", () => {
  test.each<[what: string, operation: Json]>([
    ["a type that is none", operation("copy", { path: "Patient.active" })],
    ["no type", { name: "operation", part: [{ name: "path", valueString: "Patient" }] }],
    ["another name", { ...operation("delete", { path: "Patient.active" }), name: "op" }],
    ["no parts", { name: "operation" }],
    [
      "a part twice",
      {
        name: "operation",
        part: [
          ...[1, 2].map(() => ({ name: "type", valueCode: "delete" })),
          { name: "path", valueString: "Patient" },
        ],
      },
    ],
    ["no path", operation("delete", {})],
    ["a value too much", operation("delete", { path: "Patient.active", value: { valueBoolean: true } })],
    ["no value", operation("replace", { path: "Patient.active" })],
    ["no name", operation("add", { path: "Patient", value: { valueBoolean: true } })],
    ["no index", operation("insert", { path: "Patient.name", value: { valueHumanName: { text: "x" } } })],
    [
      "an index below zero",
      operation("insert", { path: "Patient.name", index: -1, value: { valueHumanName: { text: "x" } } }),
    ],
    ["no destination", operation("move", { path: "Patient.name", source: 0 })],
    [
      "two values",
      operation("replace", { path: "Patient.active", value: { valueBoolean: true, valueString: "x" } }),
    ],
    ...[
      " ",
      ".",
      "Patient.",
      "Patient..name",
      "Patient.name[",
      "Patient.name[x]",
      "Patient.name[-1]",
      "Patient.name['a']",
      "name | given",
      "name.repeat(given)",
      "Patient.descendants()",
      "Patient.name.where()",
      "Patient.name.where(use = )",
      "Patient.name.where(use = 'a'",
      "Patient.name.where(use ~ 'a')",
      "today()",
      "%resource",
      "'text'",
      "Patient.name.extension(1)",
      `Patient${".name".repeat(300)}`,
      `Patient.where(${"(".repeat(900)}`,
    ].map((path): [string, Json] => [`the path ${path.slice(0, 40)}`, operation("delete", { path })]),
  ])("%s", (_, wrong) => {
    const good = operation("delete", { path: "Patient.active" });
    expect(refusalOf(() => patched(good, wrong))).toMatchObject({
      meaning: "PATCH_MALFORMED",
      parameters: { number: "2" },
      expression: ["Parameters.parameter[1]"],
    });
  });

  test.each<[what: string, operation: Json]>([
    ["a path to nothing", operation("replace", { path: "Patient.gender", value: { valueCode: "male" } })],
    ["a path to several", operation("replace", { path: "Patient.name.use", value: { valueCode: "old" } })],
    ["deleting several", operation("delete", { path: "Patient.name" })],
    ["deleting the resource", operation("delete", { path: "Patient" })],
    ["replacing the resource", operation("replace", { path: "Patient", value: { valueString: "x" } })],
    ["deleting what R5 does not have", operation("delete", { path: "Patient.nom" })],
    ["what R5 does not have in criteria", operation("delete", { path: "Patient.name.where(nom = 'x')" })],
    ["another type of resource", operation("delete", { path: "Observation.status" })],
    ["the name of a choice with its type", operation("delete", { path: "Patient.multipleBirthInteger" })],
    [
      "adding what is there once",
      operation("add", { path: "Patient", name: "active", value: { valueBoolean: false } }),
    ],
    [
      "adding another type of a choice",
      operation("add", { path: "Patient", name: "multipleBirth", value: { valueBoolean: true } }),
    ],
    [
      "adding what R5 does not have",
      operation("add", { path: "Patient", name: "nom", value: { valueString: "x" } }),
    ],
    [
      "a value of another type",
      operation("add", { path: "Patient", name: "maritalStatus", value: { valueString: "x" } }),
    ],
    [
      "a type that is none of a choice",
      operation("add", { path: "Patient", name: "deceased", value: { valueString: "x" } }),
    ],
    [
      "parts for a primitive",
      operation("add", {
        path: "Patient",
        name: "gender",
        value: { part: [{ name: "id", valueString: "x" }] },
      }),
    ],
    [
      "a part twice where it is once",
      operation("add", {
        path: "Patient",
        name: "contact",
        value: { part: [1, 2].map((at) => ({ name: "gender", valueCode: `${at}` })) },
      }),
    ],
    [
      "inserting past the end",
      operation("insert", { path: "Patient.name", index: 3, value: { valueHumanName: { text: "x" } } }),
    ],
    [
      "inserting where there is no list",
      operation("insert", { path: "Patient.gender", index: 0, value: { valueCode: "male" } }),
    ],
    [
      "inserting into several",
      operation("insert", { path: "Patient.name.given", index: 0, value: { valueString: "x" } }),
    ],
    ["moving from past the end", operation("move", { path: "Patient.name", source: 2, destination: 0 })],
    ["moving to past the end", operation("move", { path: "Patient.name", source: 0, destination: 2 })],
  ])("%s", (_, impossible) => {
    const before = structuredClone(patient);
    expect(refusalOf(() => patched(impossible))).toMatchObject({
      meaning: "PATCH_NOT_APPLICABLE",
      parameters: { number: "1" },
      expression: ["Parameters.parameter[0]"],
    });
    expect(patient).toEqual(before);
  });

  test.each<[what: string, body: unknown, meaning: string, expression: string]>([
    ["no resource", [], "RESOURCE_TYPE_WRONG", "Parameters"],
    ["another resource", { resourceType: "Patient" }, "RESOURCE_TYPE_WRONG", "Parameters"],
    [
      "an unknown element",
      { resourceType: "Parameters", operations: [] },
      "ELEMENT_UNKNOWN",
      "Parameters.operations",
    ],
    [
      "an unknown element of a value",
      parameters(operation("replace", { path: "Patient.name[0]", value: { valueHumanName: { nom: "x" } } })),
      "ELEMENT_UNKNOWN",
      "Parameters.parameter[0].part[2].value.nom",
    ],
    [
      "a wrong type",
      { resourceType: "Parameters", parameter: { name: "operation" } },
      "ELEMENT_TYPE_WRONG",
      "Parameters.parameter",
    ],
    ["an empty element", parameters({}), "ELEMENT_EMPTY", "Parameters.parameter[0]"],
    [
      "more operations than anybody needs",
      parameters(...Array.from({ length: 1001 }, () => operation("delete", { path: "name[0]" }))),
      "ELEMENT_REPEATED_TOO_OFTEN",
      "Parameters.parameter",
    ],
  ])("a body that has %s", (_, body, meaning, expression) => {
    expect(refusalOf(() => readOperations(body))).toMatchObject({ meaning, expression: [expression] });
  });
});

test("deleting what is not there changes nothing, and a list may begin with an insertion", () => {
  expect(patched(operation("delete", { path: "Patient.gender" }))).toEqual(patient);
  const value = { valueContactPoint: { system: "phone", value: "1" } };
  const after = patched(operation("insert", { path: "Patient.telecom", index: 0, value }));
  expect(after["telecom"]).toEqual([value.valueContactPoint]);
});

test("any patient is the same after no operation, and after an element was added and deleted", () => {
  const any = fhirArbitrary(PatientSchema, 3).filter((json) => !JSON.stringify(json).includes('"Basic"'));
  fc.assert(
    fc.property(any, (json) => {
      const {
        multipleBirthBoolean: _a,
        _multipleBirthBoolean: _b,
        multipleBirthInteger: _c,
        _multipleBirthInteger: _d,
        ...given
      } = json;
      expect(applyOperations(given, [])).toEqual(withNulls(given));
      const there = readOperations(
        parameters(
          operation("add", { path: "Patient", name: "multipleBirth", value: { valueInteger: 2 } }),
          operation("delete", { path: "Patient.multipleBirth" }),
        ),
      );
      expect(applyOperations(given, there)).toEqual(withNulls(given));
      expect(decodeResource(PatientSchema, applyOperations(given, there)).faults).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

/** Extensions alone of a repeated primitive come back beside nulls. */
function withNulls(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withNulls);
  if (typeof json !== "object" || json === null) return json;
  const entries = Object.entries(json).flatMap(([name, value]): [string, unknown][] => {
    const isAlone = name.startsWith("_") && Array.isArray(value) && !(name.slice(1) in json);
    return [
      ...(isAlone ? [[name.slice(1), value.map(() => null)] as [string, unknown]] : []),
      [name, withNulls(value)],
    ];
  });
  return Object.fromEntries(entries);
}
