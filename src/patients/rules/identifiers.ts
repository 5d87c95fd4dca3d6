import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import {
  checkIdentifier,
  checkRepetition,
  identifierKey,
  type Placed,
  type Report,
} from "../../content-rules/index.ts";
import {
  IDENTIFIER_BASE,
  type IdentifierSystem,
  isEstonianPersonalCode,
  isPersonalCode,
  NATIONAL_CODE_DEMANDED,
} from "../../identifiers/index.ts";

const DOCUMENT_TYPES: ReadonlySet<string> = new Set(["ppn", "cz", "dl"]);

/** What is wrong with the identifiers of one body by themselves; values that the patient had `before` can stay. */
export function checkIdentifiers(
  identifiers: readonly Placed<Identifier>[],
  before: readonly Identifier[],
  indexSystem: string,
  report: Report,
): void {
  if (identifiers.length === 0) report("IDENTIFIER_REQUIRED", {}, "Patient.identifier");
  const kept = new Set(before.map(identifierKey));
  const systems = identifiers.map((identifier) => checkIdentifier(identifier, indexSystem, report, kept));
  checkRepetition(identifiers, report);
  for (const identifier of identifiers) checkPersonalCode(identifier, report);
  checkDocuments(identifiers, systems, report);
}

/** Whether it is an Estonian personal code that stands the check of its digits. */
export function isValidPersonalCode({ system, value }: Identifier): boolean {
  return isEstonianPersonalCode(system) && isPersonalCode((value ?? "").trim());
}

/** A valid Estonian personal code that a client adds: only the population register brings one (MPI-050). */
export function reportAddedPersonalCode({ element, path }: Placed<Identifier>, report: Report): void {
  if (isValidPersonalCode(element)) report("ESTONIAN_PATIENT_NOT_CREATABLE", {}, path);
}

function checkPersonalCode({ element, path }: Placed<Identifier>, report: Report): void {
  if (!isEstonianPersonalCode(element.system) || element.value === undefined) return;
  if (!isValidPersonalCode(element)) {
    report("PATIENT_PERSONAL_CODE_INVALID", { identifier: element.value }, `${path}.value`);
  }
}

/** A document number of some countries needs the national code of the same country beside it (MPI-070). */
function checkDocuments(
  identifiers: readonly Placed<Identifier>[],
  systems: readonly (IdentifierSystem | undefined)[],
  report: Report,
): void {
  for (const [index, { element, path }] of identifiers.entries()) {
    const country = demandingCountry(systems[index]);
    if (country === undefined) continue;
    if (systems.some((other) => other?.country === country && other.type === "ni")) continue;
    const { system = "", value = "" } = element;
    const required = `${IDENTIFIER_BASE}/${country}/ni`;
    report("DOCUMENT_NEEDS_NATIONAL_CODE", { "id-system": system, "id-value": value, required }, path);
  }
}

function demandingCountry(system: IdentifierSystem | undefined): string | undefined {
  if (!system || !DOCUMENT_TYPES.has(system.type)) return undefined;
  return NATIONAL_CODE_DEMANDED.has(system.country) ? system.country : undefined;
}
