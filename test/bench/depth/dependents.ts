import { cellsAt } from "./cells.ts";
import { ask, type Json } from "./client.ts";
import type { Cell, Dimension, Place } from "./dimension.ts";
import { addAlike, addAll, changed, read } from "./patients.ts";

const PROFILES = "https://fhir.ee/mpi/StructureDefinition/";
const SNOMED = "http://snomed.info/sct";
const TERMINOLOGY = "http://terminology.hl7.org/CodeSystem";
const FIRST_NUMBER = 700_000_000;

/** The identifiers of all of them lie with the patient's, and are looked at with them. */
const bars = {
  "read the patient": { most: 1.5, each: 0.005 },
  "update the patient": { most: 1.5, each: 0.005 },
  "read one": { most: 1.5, each: 0.005 },
  "history of one": { most: 1.5, each: 0.005 },
  "search, first of them": { most: 1.5, each: 0.001 },
};

export const contacts: Dimension = {
  name: "contacts",
  of: "contact persons of a patient",
  sizes: [1, 10, 100, 1000],
  bars: { ...bars, "update one": { most: 2, each: 0.01 } },
  prepare: (place, sizes) => prepare(place, sizes, contactOf),
};

export const observations: Dimension = {
  name: "observations",
  of: "observations of a patient",
  sizes: [1, 10, 100, 1000],
  bars: { ...bars, "update one": { most: 1.5, each: 0.005 } },
  prepare: (place, sizes) => prepare(place, sizes, observationOf),
};

/** A contact person of a patient who is one no more: of those there may be any number. */
export function contactOf(patient: string): Json {
  return {
    resourceType: "RelatedPerson",
    meta: { profile: [`${PROFILES}ee-mpi-related-person`] },
    identifier: [ownIdentifier()],
    active: true,
    patient: { reference: `Patient/${patient}` },
    relationship: [{ coding: [{ system: `${TERMINOLOGY}/v3-RoleClass`, code: "CON" }] }],
    name: [{ use: "official", family: "Virtanen", given: ["Matti"] }],
    telecom: [{ system: "phone", value: "+358407654321", use: "mobile" }],
    period: { start: "2015-06-22", end: "2019-06-22" },
  };
}

function observationOf(patient: string): Json {
  return {
    resourceType: "Observation",
    meta: { profile: [`${PROFILES}ee-mpi-socialhistory-marital-status`] },
    identifier: [ownIdentifier()],
    status: "final",
    category: [{ coding: [{ system: `${TERMINOLOGY}/observation-category`, code: "social-history" }] }],
    code: { coding: [{ system: SNOMED, code: "125680007" }] },
    subject: { reference: `Patient/${patient}` },
    issued: "2025-11-03T09:30:00+02:00",
    valueCodeableConcept: { coding: [{ system: `${TERMINOLOGY}/v3-MaritalStatus`, code: "M" }] },
  };
}

let numbers = 0;

function ownIdentifier(): Json {
  return { system: "https://fhir.ee/sid/pid/swe/ni", value: String(FIRST_NUMBER + numbers++) };
}

async function prepare(
  { service }: Place,
  sizes: readonly number[],
  dependentOf: (patient: string) => Json,
): Promise<Cell[]> {
  const patients = await addAlike(service, sizes.length);
  const cells: Cell[] = [];
  for (const [place, size] of sizes.entries()) {
    const patient = patients[place] ?? "";
    const ids = await addAll(
      service,
      Array.from({ length: size }, () => dependentOf(patient)),
    );
    const { resourceType } = dependentOf(patient);
    const one = `${resourceType}/${ids[0]}`;
    const next = { ...(await ask(service, "GET", one)), meta: dependentOf(patient).meta };
    const cell = cellsAt(service, size);
    cells.push(
      cell("read the patient", ["GET", `Patient/${patient}`]),
      cell("update the patient", ["PUT", `Patient/${patient}`, changed(await read(service, patient))]),
      cell("read one", ["GET", one]),
      cell("history of one", ["GET", `${one}/_history?_count=1`]),
      cell("update one", ["PUT", one, next]),
      cell("search, first of them", ["GET", `${resourceType}?patient=Patient/${patient}&_count=1`]),
    );
  }
  return cells;
}
