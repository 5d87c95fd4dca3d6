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
import { fhirArbitrary } from "../fhir/fhir-arbitrary.ts";
import { officialCases } from "./official-cases.ts";
import { type Json, operation, parameters } from "./patch-parameters.ts";
import { patched, patient, refusalOf } from "./patched-patient.ts";

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
    ["Patient.name.first().given.last()", "Beth"],
    ["Patient.name.where(use = 'usual').given", "Annie"],
    ["Patient.name.where(use='usual').given[0]", "Annie"],
    ["Patient.name.where(family = 'O\\'Hara').given[2]", "Beth"],
    ["Patient.name.where(family.exists()).given.where($this = 'Beth')", "Beth"],
    ["Patient.name.where(family.empty()).given", "Annie"],
    ["Patient.name.where(use != 'official').given", "Annie"],
    ["Patient.identifier.where(system = 'urn:x' and value = '2').value", "2"],
    ["Patient.identifier.where(use = 'usual' and system = 'urn:x').value", "2"],
    ["Patient.identifier.where(value = '2' or value = '9').value", "2"],
    ["Patient.identifier.where(value = '9' or value = '2' and use = 'usual').value", "2"],
    ["Patient.identifier.where((value = '9' or value = '2') and use = 'usual').value", "2"],
    ["Patient.identifier.where(period.end = @2020).value", "2"],
    ["Patient.`identifier`[1].value", "2"],
    ["Patient.extension('urn:a').value", "A"],
    ["Patient.extension.where(url = 'urn:a').value.ofType(string)", "A"],
    ["Patient.extension.value.ofType(string)", "A"],
    ["Patient.name.where(given[0] = 'Annie').given", "Annie"],
    ["Patient.where(active).name[1].given", "Annie"],
    ["Patient.where(active != false).name[1].given", "Annie"],
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

  test("a resource is contained", () => {
    const resource = { resourceType: "Organization", id: "o", name: "Clinic" };
    const after = patched(operation("add", { path: "Patient", name: "contained", value: { resource } }));
    expect(after["contained"]).toEqual([resource]);
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
