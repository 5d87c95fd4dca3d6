import { describe, expect, test } from "vitest";
import { applyOperations } from "../../../gateway/patch/fhirpath/apply.ts";
import { readOperations } from "../../../gateway/patch/fhirpath/operations.ts";
import { type Json, operation, parameters } from "./patch-parameters.ts";
import { patched, patient, refusalOf } from "./patched-patient.ts";

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
    [
      "a value with parts",
      operation("replace", {
        path: "Patient.active",
        value: { valueBoolean: true, part: [{ name: "id", valueString: "x" }] },
      }),
    ],
    [
      "a part of a value that has none",
      operation("insert", {
        path: "Patient.name",
        index: 0,
        value: { part: [{ name: "text", valueString: "x" }, { name: "use" }] },
      }),
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
    [
      "a path by another number",
      operation("replace", {
        path: "Patient.where(multipleBirth = 3).active",
        value: { valueBoolean: false },
      }),
    ],
    [
      "a path by one of several values",
      operation("replace", { path: "Patient.name.where(given = 'Ann').use", value: { valueCode: "old" } }),
    ],
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

test("a patch that would look at elements without end is given up, soon", () => {
  const name = Array.from({ length: 8_000 }, (_, at) => ({ family: `F${at}` }));
  const value = { valueString: "x" };
  const operations = Array.from({ length: 1_000 }, (_, at) =>
    operation("replace", { path: `Patient.name.where(family = 'F${at}').family`, value }),
  );
  const start = performance.now();
  const work = () =>
    applyOperations({ resourceType: "Patient", name }, readOperations(parameters(...operations)));
  expect(refusalOf(work).meaning).toBe("PATCH_NOT_APPLICABLE");
  expect(performance.now() - start).toBeLessThan(5_000);
});
