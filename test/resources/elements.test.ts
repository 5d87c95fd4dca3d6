import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { encodeResource, type FhirJson } from "../../gateway/fhir/index.ts";
import { elementPaths, withElements } from "../../src/resources/index.ts";
import { maritalStatus } from "../observations/examples.ts";
import { verifiedPatient } from "../patients/examples.ts";
import { contactPerson } from "../related-persons/examples.ts";

/** The FHIR JSON of a resource with some elements, without its meta. */
function shown<Schema extends DescMessage>(
  schema: Schema,
  resource: Message & { etag: string },
  ...elements: string[]
): FhirJson {
  const cut = withElements(schema, resource, elementPaths(schema, elements));
  const { meta, ...json } = encodeResource(schema, cut as never);
  expect(meta).toMatchObject({ tag: [{ code: "SUBSETTED" }] });
  return json;
}

const ofPatient = (patient: Patient, ...elements: string[]) => shown(PatientSchema, patient, ...elements);
const ofObservation = (observation: Observation, ...elements: string[]) =>
  shown(ObservationSchema, observation, ...elements);

const language = { coding: [{ system: "urn:ietf:bcp:47", code: "fi" }] };

test("an element that nothing is left of is not shown", () => {
  const patient = verifiedPatient({
    id: "7",
    identifier: [
      { system: "urn:one", value: "1" },
      { system: "urn:two", value: "2", period: { start: "2020-01-01" } },
      { system: "urn:three", value: "3", period: { start: "2020-01-01", end: "2021-01-01" } },
    ],
    name: [{ family: "Virtanen" }],
    maritalStatus: { coding: [{ code: "M" }] },
  });
  expect(ofPatient(patient, "identifier.period.end")).toEqual({
    resourceType: "Patient",
    id: "7",
    identifier: [{ period: { end: "2021-01-01" } }],
  });
  expect(ofPatient(patient, "name.prefix", "maritalStatus.text", "photo", "multipleBirth")).toEqual({
    resourceType: "Patient",
    id: "7",
  });
});

test("an element that is named whole is shown whole, though a part of it is named too", () => {
  const identifier = [{ system: "urn:one", value: "1", period: { start: "2020-01-01" } }];
  const patient = verifiedPatient({ id: "7", identifier, gender: "female" });
  for (const elements of [
    ["identifier", "identifier.value"],
    ["identifier.period.start", "identifier.value", "identifier"],
    ["Patient.identifier", "identifier.value"],
  ]) {
    expect(ofPatient(patient, ...elements)).toEqual({ resourceType: "Patient", id: "7", identifier });
  }
});

test("false, and the extension of a value that is not there, are something", () => {
  const absent = { extension: [{ url: "urn:why", value: { case: "valueCode" as const, value: "masked" } }] };
  const patient = verifiedPatient({
    name: [{ familyElement: absent }],
    communication: [{ language, preferred: false }],
  });
  expect(ofPatient(patient, "name.family", "communication.preferred")).toMatchObject({
    name: [{ _family: { extension: [{ url: "urn:why", valueCode: "masked" }] } }],
    communication: [{ preferred: false }],
  });
});

test("what R5 requires of a resource is always shown, as a whole", () => {
  const observation = maritalStatus();
  const { status, code } = encodeResource(ObservationSchema, observation);
  const required = { resourceType: "Observation", status, code };
  expect(ofObservation(observation, "issued")).toEqual({ ...required, issued: observation.issued });
  expect(ofObservation(observation, "code.text")).toEqual(required);
  expect(shown(RelatedPersonSchema, contactPerson(), "name.family")).toEqual({
    resourceType: "RelatedPerson",
    patient: { reference: "Patient/7" },
    name: [{ family: contactPerson().name[0]?.family }],
  });
});

test("what R5 requires of an element is shown with what is left of it, and not alone", () => {
  const patient = verifiedPatient({
    id: "7",
    communication: [{ language }, { language, preferred: true }],
    link: [{ other: { reference: "Patient/8" }, type: "replaces" }],
  });
  expect(ofPatient(patient, "communication.preferred", "link.other.reference")).toEqual({
    resourceType: "Patient",
    id: "7",
    communication: [{ language, preferred: true }],
    link: [{ other: { reference: "Patient/8" }, type: "replaces" }],
  });
});

test("resourceType may be asked for, as some clients always do: it is always shown", () => {
  const patient = verifiedPatient({ id: "7", gender: "female" });
  const json = { resourceType: "Patient", id: "7" };
  expect(ofPatient(patient, "gender", "resourceType", "id")).toEqual({ ...json, gender: "female" });
  expect(ofPatient(patient, "resourceType")).toEqual(json);
  expect(() => elementPaths(PatientSchema, ["resourceType.x"])).toThrow();
});

test("without elements a resource is shown whole, as it is", () => {
  const patient = create(PatientSchema, { id: "7" });
  expect(withElements(PatientSchema, patient, elementPaths(PatientSchema, []))).toBe(patient);
});

test.each([65, 5000])("a path of %d steps is of no element: nothing nests so deep", (steps) => {
  const path = (count: number) => [...Array(count - 1).fill("extension"), "url"].join(".");
  expect(elementPaths(PatientSchema, [path(64)]).size).toBeGreaterThan(0);
  expect(() => elementPaths(PatientSchema, [path(steps)])).toThrow("SEARCH_PARAMETERS_UNSUITABLE");
});
