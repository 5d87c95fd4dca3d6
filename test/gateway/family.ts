import { randomUUID } from "node:crypto";

type Json = Record<string, unknown>;

const PROFILES = "https://fhir.ee/mpi/StructureDefinition/";
const CATEGORY = "http://terminology.hl7.org/CodeSystem/observation-category";

/** A contact person, the spouse, whom nobody else is; what is given replaces its elements. */
export function spouseOf(patient: string, changes: Json = {}): Json {
  return {
    resourceType: "RelatedPerson",
    meta: { profile: [`${PROFILES}ee-mpi-related-person`] },
    identifier: [{ system: "https://fhir.ee/sid/pid/swe/ni", value: randomUUID() }],
    active: true,
    patient: { reference: patient },
    relationship: [{ coding: [{ system: "http://snomed.info/sct", code: "127848009" }] }],
    period: { start: "2015-06-22" },
    name: [{ use: "official", family: "Virtanen", given: ["Matti"] }],
    ...changes,
  };
}

/** A marital status: married. What is given replaces its elements. */
export function marriageOf(subject: string, changes: Json = {}): Json {
  return {
    resourceType: "Observation",
    meta: { profile: [`${PROFILES}ee-mpi-socialhistory-marital-status`] },
    status: "final",
    category: [{ coding: [{ system: CATEGORY, code: "social-history" }] }],
    code: { coding: [{ system: "http://snomed.info/sct", code: "125680007" }] },
    subject: { reference: subject },
    issued: "2025-11-03T09:30:00+02:00",
    valueCodeableConcept: {
      coding: [{ system: "http://terminology.hl7.org/CodeSystem/v3-MaritalStatus", code: "M" }],
    },
    ...changes,
  };
}
