import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { PatientSelector } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { checkIdentifier, collectFaults, placed } from "../content-rules/index.ts";
import { type Fault, fault, refuseFor } from "../errors/index.ts";
import { identifierTokenOf, isEstonianPersonalCode, isPersonalCode } from "../identifiers/index.ts";
import { patientNumber } from "../resources/index.ts";
import { mostElements } from "../structure/index.ts";
import type { Linkage } from "./linkage.ts";
import type { PatientPair } from "./ports.ts";
import type { PairPlaces, Side } from "./rules/index.ts";

type Selected = { readonly id: bigint } | { readonly faults: readonly Fault[] };

/** How a request names its two patients. */
export type PairSelectors = { readonly [Name in Side]?: PatientSelector | undefined };

/**
 * The two patients of a request (spec http-api.md, "Operations"): MPI-078 for one that is not named, MPI-021 for a
 * reference to nobody, MPI-045 and MPI-046 for identifiers of nobody and of several. What is wrong with either is
 * said together.
 */
export async function selectPair(linkage: Linkage, selectors: PairSelectors): Promise<PatientPair> {
  const [source, target] = await Promise.all([
    selectPatient(linkage, "source", selectors.source),
    selectPatient(linkage, "target", selectors.target),
  ]);
  if ("id" in source && "id" in target) return { source: source.id, target: target.id };
  refuseFor([source, target].flatMap((selected) => ("faults" in selected ? selected.faults : [])));
  throw new Error("A patient was not found without a fault.");
}

/** Where a request names its two patients: the reference where it gives one, else the identifiers. */
export function placesOf(selectors: PairSelectors): PairPlaces {
  return { source: placeOf(selectors, "source"), target: placeOf(selectors, "target") };
}

function placeOf(selectors: PairSelectors, side: Side): string {
  return pathOf(selectors[side]?.id ? `${side}-patient` : `${side}-patient-identifier`);
}

async function selectPatient(
  linkage: Linkage,
  side: Side,
  selector: PatientSelector | undefined,
): Promise<Selected> {
  const { id = "", identifiers = [] } = selector ?? {};
  if (id === "" && identifiers.length === 0) {
    return { faults: [fault("PARAMETER_REQUIRED", { param: `${side}-patient` }, at(`${side}-patient`))] };
  }
  const [byId, byIdentifiers] = await Promise.all([
    id === "" ? undefined : selectById(linkage, side, id),
    identifiers.length === 0 ? undefined : selectByIdentifiers(linkage, side, identifiers),
  ]);
  return bothOf(side, byId ?? byIdentifiers, byIdentifiers ?? byId);
}

/** One patient for a reference and identifiers that are given together. */
function bothOf(side: Side, one: Selected | undefined, other: Selected | undefined): Selected {
  if (!one || !other) throw new TypeError("A patient was named in no way.");
  if (one === other || "faults" in one) return one;
  if ("faults" in other || one.id === other.id) return other;
  return { faults: [ofSeveral(`${side}-patient-identifier`)] };
}

async function selectById({ links }: Linkage, side: Side, id: string): Promise<Selected> {
  const number = patientNumber(id);
  if (number !== undefined && (await links.known([number])).has(number)) return { id: number };
  return { faults: [fault("PATIENT_NOT_FOUND", {}, at(`${side}-patient`))] };
}

/** The one who holds all these identifiers; the others of its group do not count. */
async function selectByIdentifiers(
  { patients }: Linkage,
  side: Side,
  identifiers: readonly Identifier[],
): Promise<Selected> {
  const param = `${side}-patient-identifier`;
  if (identifiers.length > mostElements) return { faults: [tooMany(param)] };
  const faults = identifierFaults(identifiers, param, patients.indexSystem);
  if (faults.length > 0) return { faults };
  const holders = await Promise.all(identifiers.map((identifier) => holdersOf(patients, identifier)));
  if (holders.some((ids) => ids.length === 0)) {
    return { faults: [fault("IDENTIFIER_OF_NOBODY", { param }, at(param))] };
  }
  const [id, another] = new Set(holders.flat());
  return id === undefined || another !== undefined ? { faults: [ofSeveral(param)] } : { id };
}

function identifierFaults(
  identifiers: readonly Identifier[],
  param: string,
  indexSystem: string,
): readonly Fault[] {
  const { report, faults } = collectFaults();
  for (const { element, path: parameter } of placed(identifiers, pathOf(param))) {
    const path = `${parameter}.value`;
    checkIdentifier({ element, path }, indexSystem, report);
    const { system, value = "" } = element;
    if (isEstonianPersonalCode(system) && value !== "" && !isPersonalCode(value.trim())) {
      report("REQUEST_PERSONAL_CODE_INVALID", { code: value }, `${path}.value`);
    }
  }
  return faults;
}

async function holdersOf(patients: Linkage["patients"], identifier: Identifier): Promise<bigint[]> {
  const token = identifierTokenOf(identifier);
  return token ? await patients.store.holders([token]) : [];
}

/** Each is a question to the database. */
function tooMany(param: string): Fault {
  return fault(
    "ELEMENT_REPEATED_TOO_OFTEN",
    { element: pathOf(param), max: String(mostElements) },
    at(param),
  );
}

function ofSeveral(param: string): Fault {
  return fault("IDENTIFIER_OF_SEVERAL", { param }, at(param));
}

function at(param: string): { expression: string[] } {
  return { expression: [pathOf(param)] };
}

function pathOf(param: string): string {
  return `Parameters.parameter.where(name='${param}')`;
}
