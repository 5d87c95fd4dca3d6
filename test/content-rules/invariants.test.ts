import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { ExtensionSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { invariantsOfContained, invariantsOfTypes } from "../../src/content-rules/invariant-table.ts";
import { acceptMaritalStatus } from "../../src/observations/rules/index.ts";
import { acceptNewPatient } from "../../src/patients/rules/index.ts";
import { maritalStatus, type ObservationInit } from "../observations/examples.ts";
import { type PatientInit, PID, verifiedPatient } from "../patients/examples.ts";
import { contactPerson } from "../related-persons/examples.ts";
import { codes, setting } from "./faults.ts";

type Value = NonNullable<MessageInitShape<typeof ExtensionSchema>["value"]>;

const URL = "https://his.example/extension";
const UCUM = "http://unitsofmeasure.org";

const ofPatient = (changes: PatientInit) => acceptNewPatient(verifiedPatient(changes), setting).faults;
const ofValue = (value: Value) => ofPatient({ extension: [{ url: URL, value }] });
const parametersOf = (faults: ReturnType<typeof ofPatient>) => faults.map(({ parameters }) => parameters);

const repeat = (of: object): Value => ({ case: "valueTiming", value: { repeat: of } });
const trigger = (of: object): Value => ({ case: "valueTriggerDefinition", value: of });
const code = { coding: [{ code: "x" }] };

/** Of each invariant a value that holds to it, and one that does not. */
const values: readonly [key: string, path: string, holds: Value, breaks: Value][] = [
  [
    "age-1",
    "",
    { case: "valueAge", value: { value: "3", system: UCUM, code: "a" } },
    { case: "valueAge", value: { value: "-3", system: UCUM, code: "a" } },
  ],
  [
    "att-1",
    "",
    { case: "valueAttachment", value: { data: "QQ==", contentType: "text/plain" } },
    { case: "valueAttachment", value: { data: "QQ==" } },
  ],
  [
    "av-1",
    ".availableTime[0]",
    { case: "valueAvailability", value: { availableTime: [{ allDay: true }] } },
    {
      case: "valueAvailability",
      value: { availableTime: [{ allDay: true, availableStartTime: "08:00:00" }] },
    },
  ],
  [
    "cnt-3",
    "",
    { case: "valueCount", value: { value: "3", system: UCUM, code: "1" } },
    { case: "valueCount", value: { value: "3.5", system: UCUM, code: "1" } },
  ],
  [
    "cpt-2",
    "",
    { case: "valueContactPoint", value: { system: "phone", value: "1" } },
    { case: "valueContactPoint", value: { value: "1" } },
  ],
  [
    "dis-1",
    "",
    { case: "valueDistance", value: { value: "3", system: UCUM, code: "km" } },
    { case: "valueDistance", value: { value: "3" } },
  ],
  [
    "dos-1",
    "",
    { case: "valueDosage", value: { asNeeded: true, asNeededFor: [code] } },
    { case: "valueDosage", value: { asNeeded: false, asNeededFor: [code] } },
  ],
  [
    "drq-1",
    ".codeFilter[0]",
    { case: "valueDataRequirement", value: { type: "Patient", codeFilter: [{ path: "gender" }] } },
    {
      case: "valueDataRequirement",
      value: { type: "Patient", codeFilter: [{ path: "gender", searchParam: "gender" }] },
    },
  ],
  [
    "drq-2",
    ".dateFilter[0]",
    { case: "valueDataRequirement", value: { type: "Patient", dateFilter: [{ searchParam: "birthdate" }] } },
    { case: "valueDataRequirement", value: { type: "Patient", dateFilter: [{ id: "one" }] } },
  ],
  [
    "drt-1",
    "",
    { case: "valueDuration", value: { value: "3", system: UCUM, code: "h" } },
    { case: "valueDuration", value: { value: "3", system: "urn:other", code: "h" } },
  ],
  [
    "exp-1",
    "",
    { case: "valueExpression", value: { expression: "true", language: "text/fhirpath" } },
    { case: "valueExpression", value: { language: "text/fhirpath" } },
  ],
  [
    "exp-2",
    "",
    { case: "valueExpression", value: { name: "an_age1", expression: "true" } },
    { case: "valueExpression", value: { name: "1 age", expression: "true" } },
  ],
  [
    "qty-3",
    "",
    { case: "valueQuantity", value: { value: "3", system: UCUM, code: "kg" } },
    { case: "valueQuantity", value: { value: "3", code: "kg" } },
  ],
  [
    "rat-1",
    "",
    { case: "valueRatio", value: { numerator: { value: "1" }, denominator: { value: "2" } } },
    { case: "valueRatio", value: { numerator: { value: "1" } } },
  ],
  [
    "ratrng-1",
    "",
    { case: "valueRatioRange", value: { lowNumerator: { value: "1" }, denominator: { value: "2" } } },
    { case: "valueRatioRange", value: { lowNumerator: { value: "1" } } },
  ],
  [
    "ref-2",
    "",
    { case: "valueReference", value: { type: "Patient", display: "Aino" } },
    { case: "valueReference", value: { type: "Patient" } },
  ],
  [
    "rng-2",
    "",
    { case: "valueRange", value: { low: { value: "2" }, high: { value: "10" } } },
    { case: "valueRange", value: { low: { value: "10" }, high: { value: "2" } } },
  ],
  [
    "sdd-1",
    "",
    {
      case: "valueSampledData",
      value: { origin: { value: "0" }, interval: "1", intervalUnit: "ms", dimensions: 1 },
    },
    { case: "valueSampledData", value: { origin: { value: "0" }, intervalUnit: "ms", dimensions: 1 } },
  ],
  ["tim-1", ".repeat", repeat({ duration: "1", durationUnit: "h" }), repeat({ duration: "1" })],
  ["tim-2", ".repeat", repeat({ period: "1", periodUnit: "d" }), repeat({ period: "1" })],
  [
    "tim-4",
    ".repeat",
    repeat({ duration: "0", durationUnit: "h" }),
    repeat({ duration: "-1", durationUnit: "h" }),
  ],
  ["tim-5", ".repeat", repeat({ period: "0", periodUnit: "d" }), repeat({ period: "-1", periodUnit: "d" })],
  [
    "tim-6",
    ".repeat",
    repeat({ period: "1", periodUnit: "d", periodMax: "2" }),
    repeat({ periodUnit: "d", periodMax: "2" }),
  ],
  [
    "tim-7",
    ".repeat",
    repeat({ duration: "1", durationUnit: "h", durationMax: "2" }),
    repeat({ durationUnit: "h", durationMax: "2" }),
  ],
  ["tim-8", ".repeat", repeat({ count: 1, countMax: 2 }), repeat({ countMax: 2 })],
  ["tim-9", ".repeat", repeat({ when: ["ACM"], offset: 30 }), repeat({ when: ["CM"], offset: 30 })],
  [
    "tim-10",
    ".repeat",
    repeat({ timeOfDay: ["08:00:00"] }),
    repeat({ timeOfDay: ["08:00:00"], when: ["ACM"] }),
  ],
  [
    "trd-1",
    "",
    trigger({ type: "data-added", data: [{ type: "Patient" }] }),
    trigger({
      type: "data-added",
      data: [{ type: "Patient" }],
      timing: { case: "timingDate", value: "2026-01-01" },
    }),
  ],
  [
    "trd-2",
    "",
    trigger({ type: "data-added", data: [{ type: "Patient" }], condition: { expression: "true" } }),
    trigger({ type: "named-event", name: "birth", condition: { expression: "true" } }),
  ],
  ["trd-3", "", trigger({ type: "named-event", name: "birth" }), trigger({ type: "named-event" })],
];

const unknown = [{ url: "http://hl7.org/fhir/StructureDefinition/data-absent-reason" }];
const time = (of: object): Value => ({ case: "valueAvailability", value: { availableTime: [of] } });
const range = (low: string, high: string): Value => ({
  case: "valueRange",
  value: { low: { value: low }, high: { value: high } },
});

/** What holds to an invariant in another of the ways that it leaves. */
const otherHolds: readonly [key: string, holds: Value][] = [
  ["age-1", { case: "valueAge", value: { valueElement: { extension: unknown }, system: UCUM, code: "a" } }],
  ["age-1", { case: "valueAge", value: { unit: "years" } }],
  ["av-1", time({ allDay: false, availableStartTime: "08:00:00" })],
  ["cnt-3", { case: "valueCount", value: { unit: "pieces" } }],
  ["dos-1", { case: "valueDosage", value: { asNeededFor: [code] } }],
  ["dos-1", { case: "valueDosage", value: { asNeeded: false } }],
  ["drt-1", { case: "valueDuration", value: { value: "3", unit: "hours" } }],
  ["exp-1", { case: "valueExpression", value: { reference: "https://his.example/Library/1" } }],
  [
    "rat-1",
    { case: "valueRatio", value: { extension: [{ url: URL, value: { case: "valueCode", value: "x" } }] } },
  ],
  ["rng-2", range("10", "9.6")],
  [
    "sdd-1",
    {
      case: "valueSampledData",
      value: { origin: { value: "0" }, offsets: "1 2", intervalUnit: "ms", dimensions: 1 },
    },
  ],
  ["tim-10", repeat({ when: ["CM"] })],
  ["trd-3", trigger({ type: "periodic", timing: { case: "timingDate", value: "2026-01-01" } })],
];

/** What breaks an invariant in another of its parts. */
const otherBreaks: readonly [key: string, path: string, breaks: Value][] = [
  ["age-1", "", { case: "valueAge", value: { value: "0", system: UCUM, code: "a" } }],
  ["age-1", "", { case: "valueAge", value: { value: "3" } }],
  ["age-1", "", { case: "valueAge", value: { value: "3", system: "urn:other", code: "a" } }],
  ["av-1", ".availableTime[0]", time({ allDay: true, availableEndTime: "16:00:00" })],
  ["cnt-3", "", { case: "valueCount", value: { value: "3" } }],
  ["cnt-3", "", { case: "valueCount", value: { value: "3", system: "urn:other", code: "1" } }],
  ["cnt-3", "", { case: "valueCount", value: { value: "3", system: UCUM, code: "kg" } }],
  ["dis-1", "", { case: "valueDistance", value: { value: "3", system: "urn:other", code: "km" } }],
  ["drt-1", "", { case: "valueDuration", value: { system: UCUM, code: "h" } }],
  ["rat-1", "", { case: "valueRatio", value: { denominator: { value: "2" } } }],
  ["rat-1", "", { case: "valueRatio", value: { id: "one" } }],
  ["ratrng-1", "", { case: "valueRatioRange", value: { highNumerator: { value: "1" } } }],
  ["ratrng-1", "", { case: "valueRatioRange", value: { denominator: { value: "2" } } }],
  ["rng-2", "", range("10", "9.4")],
  [
    "sdd-1",
    "",
    {
      case: "valueSampledData",
      value: { origin: { value: "0" }, interval: "1", offsets: "1 2", intervalUnit: "ms", dimensions: 1 },
    },
  ],
  ["tim-9", ".repeat", repeat({ offset: 30 })],
  ["tim-9", ".repeat", repeat({ when: ["ACM", "CM"], offset: 30 })],
  ["trd-3", "", trigger({ type: "periodic" })],
  ["trd-3", "", trigger({ type: "data-added" })],
];

describe("an element of a value", () => {
  it.each([...values.map(([key, , holds]) => [key, holds] as const), ...otherHolds])(
    "holds to %s",
    (_key, holds) => {
      expect(codes(ofValue(holds))).toEqual([]);
    },
  );

  it.each([...values.map(([key, path, , breaks]) => [key, path, breaks] as const), ...otherBreaks])(
    "is refused when it breaks %s",
    (key, path, breaks) => {
      const faults = ofValue(breaks);
      const element = `Patient.extension[0].value${path}`;
      expect(codes(faults)).toEqual([`MPI-096 ${element}`]);
      expect(parametersOf(faults)).toEqual([{ element, key }]);
    },
  );

  it("may be a range of quantities that say nothing of each other", () => {
    const low = { value: "10", system: UCUM, code: "mm" };
    const high = { value: "2", system: UCUM, code: "cm" };
    expect(codes(ofValue({ case: "valueRange", value: { low, high } }))).toEqual([]);
  });

  it("that is a period does not end before it starts", () => {
    const value = { start: "2026-02-01", end: "2026-01-31" };
    expect(ofValue({ case: "valuePeriod", value }).map(({ meaning }) => meaning)).toEqual([
      "PERIOD_REVERSED",
    ]);
  });
});

test("a fault of a period is told once", () => {
  const period = { start: "2026-02-01", end: "2026-01-31" };
  const identifier = [{ system: `${PID}/fin/ni`, value: "010190-123A", period }];
  expect(codes(ofPatient({ identifier }))).toEqual(["MPI-096 Patient.identifier[0].period"]);
  const name = [{ use: "official", family: "A", given: ["B"], period }];
  expect(codes(ofPatient({ name }))).toEqual(["MPI-096 Patient.name[0].period"]);
});

describe("a marital status", () => {
  const identifier = [{ system: `${PID}/fin/ni`, value: "010190-123A" }];
  const spouse = contactPerson({ id: "70001", active: true, identifier });
  const faultsOf = (changes: ObservationInit) =>
    acceptMaritalStatus(maritalStatus(changes), { relatedPersons: [spouse] }).faults;
  const inside = (changes: object): ObservationInit => ({
    contained: [{ resource: { case: "relatedPerson", value: { id: "s", identifier, ...changes } } }],
    focus: [{ reference: "#s" }],
  });

  it.each<[string, string, ObservationInit]>([
    ["obs-3", "Observation.referenceRange[0]", { referenceRange: [{ id: "one" }] }],
    [
      "obs-8",
      "Observation",
      { bodySite: { text: "arm" }, bodyStructure: { reference: "https://his.example/BodyStructure/1" } },
    ],
    ["dom-4", "Observation.contained[0]", inside({ meta: { versionId: "1" } })],
    ["dom-4", "Observation.contained[0]", inside({ meta: { lastUpdated: { seconds: 1n } } })],
    ["dom-5", "Observation.contained[0]", inside({ meta: { security: [{ code: "R" }] } })],
  ])("is refused when it breaks %s", (key, element, changes) => {
    expect(parametersOf(faultsOf(changes))).toEqual([{ element, key }]);
  });

  it("may name another person", () => {
    expect(codes(faultsOf(inside({})))).toEqual([]);
  });

  it.each<ObservationInit>([
    { bodySite: { text: "arm" } },
    { bodyStructure: { reference: "https://his.example/BodyStructure/1" } },
  ])("may name a site or a structure of the body", (changes) => {
    expect(codes(faultsOf({ ...inside({}), ...changes }))).toEqual([]);
  });
});

/** Invariants of R5 that the table does not have, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  "ele-1": "structure: ELEMENT_EMPTY",
  "ext-1": "structure: EXTENSION_AMBIGUOUS",
  "per-1": "PERIOD_REVERSED",
  "ref-1": "kept references",
  "txt-1": "narratives are not kept",
  "txt-2": "narratives are not kept",
  "dom-2": "what is contained contains nothing, by its message",
  "dom-3": "an unused contained person of a marital status is kept as it was given",
  "pat-1": "Patient.contact is not kept",
  "obs-6": "a marital status has no dataAbsentReason",
  "obs-7": "a marital status has no components",
  "obs-9": "asks what a reference leads to",
  "ratrng-2": "asks for the value of a Quantity, which has none by itself: it holds of everything",
  "mtqy-1": "of MoneyQuantity, a profile",
  "sqty-1": "of SimpleQuantity, a profile",
};

test("every invariant of R5 that an element of ours can break is looked at, or said to be elsewhere", () => {
  const inTable = [...Object.values(invariantsOfTypes), invariantsOfContained].flat().map(([key]) => key);
  expect(new Set([...inTable, ...Object.keys(elsewhere)])).toEqual(new Set(["per-1", ...invariantsOfR5()]));
});

/** Keys of the constraints of severity error on the types that have messages. */
function invariantsOfR5(): string[] {
  const require = createRequire(import.meta.url);
  const types = ["Patient", "RelatedPerson", "Observation", "Extension", "Narrative"];
  const inValues = ExtensionSchema.fields.flatMap(({ message }) => message?.name ?? []);
  const keys = [...new Set([...types, ...inValues, "MoneyQuantity", "SimpleQuantity"])].flatMap((type) => {
    if (type === "Element") return [];
    const file = require.resolve(`hl7.fhir.r5.core/StructureDefinition-${type}.json`);
    const { snapshot } = JSON.parse(readFileSync(file, "utf8"));
    return snapshot.element.flatMap(({ constraint = [] }) => constraint);
  });
  return keys.filter(({ severity }) => severity === "error").map(({ key }) => key);
}
