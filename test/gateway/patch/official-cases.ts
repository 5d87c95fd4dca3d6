// The cases of r5/patch/fhir-path-tests.xml in the test cases of HL7 (FHIR/fhir-test-cases), in our own words.
import { type Json, operation, parameters } from "./patch-parameters.ts";

export interface PatchCase {
  /** The name that it has there. */
  readonly name: string;
  readonly input: Json;
  readonly patch: Json;
  /** Undefined when the patch is refused. */
  readonly output: Json | undefined;
}

const SYSTEM = "http://example.org";
const empty = patient({});
const born = patient({ birthDate: "1920-01-01" });
const identifierList = "Patient.identifier";

function patient(elements: Json): Json {
  return { resourceType: "Patient", ...elements };
}

function identifier(number: number, id?: string): Json {
  return { ...(id !== undefined && { id }), system: SYSTEM, value: `value ${number}` };
}

function listed(...numbers: readonly number[]): Json {
  return patient({ identifier: numbers.map((number) => identifier(number)) });
}

function withContact(contact: Json): Json {
  return patient({ contact: [contact] });
}

function moving(source: number, destination: number): Json {
  return operation("move", { path: identifierList, source, destination });
}

function inserting(index: number): Json {
  return operation("insert", { path: identifierList, index, value: { valueIdentifier: identifier(3) } });
}

function reordered(
  name: string,
  moves: readonly (readonly [number, number])[],
  ...order: readonly number[]
): PatchCase {
  const patch = parameters(...moves.map(([source, destination]) => moving(source, destination)));
  return { name, input: listed(1, 2, 3, 4), patch, output: listed(...order) };
}

const named = { name: { text: "a name" } };
const married = { maritalStatus: { text: "married" } };
const removal = (path: string) => parameters(operation("delete", { path }));

const narrative = (family: string) =>
  `<div xmlns="http://www.w3.org/1999/xhtml"><p>Peter James <b>${family}</b> ("Jim")</p></div>`;

function wholePatient(family: string): Json {
  return patient({
    id: "example",
    text: { status: "generated", div: narrative(family) },
    identifier: [
      {
        use: "usual",
        system: "urn:oid:1.2.36.146.595.217.0.1",
        value: "12345",
        period: { start: "2001-05-06" },
      },
    ],
    active: true,
    name: [
      { use: "official", family, given: ["Peter", "James"] },
      { use: "usual", given: ["Jim"] },
    ],
    telecom: [{ use: "home" }, { system: "phone", value: "(03) 5555 6473", use: "work" }],
    gender: "male",
    birthDate: "1974-12-25",
    _birthDate: { extension: [{ url: "urn:time", valueDateTime: "1974-12-25T14:35:45-05:00" }] },
    deceasedBoolean: false,
    address: [
      { use: "home", line: ["534 Erewhon St"], city: "PleasantVille", period: { start: "1974-12-25" } },
    ],
    contact: [
      {
        name: {
          family: "du Marché",
          _family: { extension: [{ url: "urn:prefix", valueString: "VV" }] },
          given: ["Bénédicte"],
        },
        gender: "female",
        period: { start: "2012" },
      },
    ],
    managingOrganization: { reference: "Organization/1" },
  });
}

export const officialCases: readonly PatchCase[] = [
  { name: "No Difference", input: born, patch: parameters(), output: born },
  {
    name: "Replace Primitive",
    input: born,
    patch: parameters(
      operation("replace", { path: "Patient.birthDate", value: { valueDate: "1930-01-01" } }),
    ),
    output: patient({ birthDate: "1930-01-01" }),
  },
  { name: "Delete Primitive", input: born, patch: removal("Patient.birthDate"), output: empty },
  {
    name: "Add Primitive",
    input: empty,
    patch: parameters(
      operation("add", { path: "Patient", name: "birthDate", value: { valueDate: "1930-01-01" } }),
    ),
    output: patient({ birthDate: "1930-01-01" }),
  },
  { name: "Delete Primitive #2", input: born, patch: removal("Patient.birthDate"), output: empty },
  {
    name: "Replace Nested Primitive #1",
    input: withContact({ ...named, gender: "male" }),
    patch: parameters(
      operation("replace", { path: "Patient.contact[0].gender", value: { valueCode: "female" } }),
    ),
    output: withContact({ ...named, gender: "female" }),
  },
  {
    name: "Replace Nested Primitive #2",
    input: withContact({ ...named, gender: "male" }),
    patch: parameters(
      operation("replace", { path: "Patient.contact[0].name.text", value: { valueString: "the name" } }),
    ),
    output: withContact({ name: { text: "the name" }, gender: "male" }),
  },
  {
    name: "Delete Nested Primitive #1",
    input: withContact({ ...named, gender: "male" }),
    patch: removal("Patient.contact[0].gender"),
    output: withContact(named),
  },
  {
    name: "Delete Nested Primitive #2",
    input: withContact({ ...named, gender: "male" }),
    patch: removal("Patient.contact[0].name.text"),
    output: withContact({ gender: "male" }),
  },
  {
    name: "Add Nested Primitive",
    input: withContact(named),
    patch: parameters(
      operation("add", { path: "Patient.contact[0]", name: "gender", value: { valueCode: "male" } }),
    ),
    output: withContact({ ...named, gender: "male" }),
  },
  {
    name: "Add Complex",
    input: empty,
    patch: parameters(
      operation("add", {
        path: "Patient",
        name: "maritalStatus",
        value: { valueCodeableConcept: { text: "married" } },
      }),
    ),
    output: patient(married),
  },
  {
    name: "Replace Complex",
    input: patient({ maritalStatus: { id: "1", text: "married" } }),
    patch: parameters(
      operation("replace", {
        path: "Patient.maritalStatus",
        value: { valueCodeableConcept: { id: "2", text: "not married" } },
      }),
    ),
    output: patient({ maritalStatus: { id: "2", text: "not married" } }),
  },
  { name: "Delete Complex", input: patient(married), patch: removal("Patient.maritalStatus"), output: empty },
  {
    name: "Add Anonymous Type",
    input: empty,
    patch: parameters(
      operation("add", {
        path: "Patient",
        name: "contact",
        value: { part: [{ name: "name", valueHumanName: { text: "a name" } }] },
      }),
    ),
    output: withContact(named),
  },
  {
    name: "Delete Anonymous Type",
    input: withContact(named),
    patch: removal("Patient.contact[0]"),
    output: empty,
  },
  { name: "List unchanged", input: listed(1, 2), patch: parameters(), output: listed(1, 2) },
  {
    name: "List unchanged, contents changed",
    input: patient({ identifier: [identifier(1, "a"), identifier(2, "b")] }),
    patch: parameters(
      operation("replace", { path: "Patient.identifier[0].value", value: { valueString: "value 2" } }),
      operation("replace", { path: "Patient.identifier[1].value", value: { valueString: "value 1" } }),
    ),
    output: patient({ identifier: [identifier(2, "a"), identifier(1, "b")] }),
  },
  { name: "Add to list", input: listed(1, 2), patch: parameters(inserting(2)), output: listed(1, 2, 3) },
  {
    name: "Insert in list #1",
    input: listed(1, 2),
    patch: parameters(inserting(1)),
    output: listed(1, 3, 2),
  },
  {
    name: "Insert in list #2",
    input: listed(1, 2),
    patch: parameters(inserting(0)),
    output: listed(3, 1, 2),
  },
  {
    name: "Delete from List #1",
    input: listed(1, 2, 3),
    patch: removal("Patient.identifier[0]"),
    output: listed(2, 3),
  },
  {
    name: "Delete from List #2",
    input: listed(1, 2, 3),
    patch: removal("Patient.identifier[1]"),
    output: listed(1, 3),
  },
  {
    name: "Delete from List #3",
    input: listed(1, 2, 3),
    patch: removal("Patient.identifier[2]"),
    output: listed(1, 2),
  },
  reordered("Reorder List #1", [[3, 1]], 1, 4, 2, 3),
  reordered("Reorder List #2", [[3, 0]], 4, 1, 2, 3),
  reordered("Reorder List #3", [[3, 2]], 1, 2, 4, 3),
  reordered("Reorder List #4", [[0, 3]], 2, 3, 4, 1),
  reordered(
    "Reorder List #5",
    [
      [1, 0],
      [2, 1],
    ],
    2,
    3,
    1,
    4,
  ),
  reordered(
    "Reorder List #6",
    [
      [3, 0],
      [3, 1],
      [3, 2],
    ],
    4,
    3,
    2,
    1,
  ),
  {
    name: "Operation on missing element",
    input: patient({ identifier: [{ use: "official", value: "123" }] }),
    patch: parameters(
      operation("add", {
        path: "Patient.identifier.where(use = 'official').period",
        name: "end",
        value: { valueDate: "2021-12-01" },
      }),
    ),
    output: undefined,
  },
  {
    name: "Operation on missing element #2",
    input: empty,
    patch: parameters(
      operation("add", { path: "Patient", name: "identifier", value: { valueIdentifier: identifier(3) } }),
    ),
    output: listed(3),
  },
  {
    name: "Full Resource",
    input: wholePatient("Chalmers"),
    patch: parameters(
      operation("replace", { path: "Patient.text.div", value: { valueString: narrative("Chalmers1") } }),
      operation("replace", { path: "Patient.name[0].family", value: { valueString: "Chalmers1" } }),
    ),
    output: wholePatient("Chalmers1"),
  },
];
