import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import { normalized } from "../identifier-index/index.ts";
import { type IdentifierSystem, parseIdentifierSystem } from "../identifiers/index.ts";
import { checkPeriod } from "./periods.ts";
import type { Placed } from "./placed.ts";
import type { Report } from "./report.ts";
import { hasInvisible, isUnseen } from "./visible-text.ts";

const PREFIX = /^(?:urn:oid|https:|http:)/;

/** Hardly any value has other signs; these are all seen, but for blanks. */
const PRINTABLE_ASCII = /^[ -~]+$/;

const NOTHING: ReadonlySet<string> = new Set();

/** By which two identifiers are the same: the system, and the value as it is looked up. */
export function identifierKey({ system, value }: Identifier): string {
  return `${system ?? ""}|${normalized(value ?? "")}`;
}

/** The identifier in its stored form, its value trimmed and in NFC. */
export function storedIdentifier(given: Identifier): Identifier {
  if (given.value === undefined) return given;
  const value = normalized(given.value);
  return value === given.value ? given : { ...given, value };
}

/**
 * What holds of the identifier of any person: a known system (MPI-056, MPI-025.01, MPI-025), a value of visible
 * signs, a period of R5. Answers with the system when it is known. What is stored already can be put back, whatever
 * its value: `before` are the keys of those, and nobody may change or remove one.
 */
export function checkIdentifier(
  { element: identifier, path }: Placed<Identifier>,
  indexSystem: string,
  report: Report,
  before: ReadonlySet<string> = NOTHING,
): IdentifierSystem | undefined {
  checkPeriod(identifier.period, `${path}.period`, report);
  if (before.size === 0 || !before.has(identifierKey(identifier))) {
    checkValue(normalized(identifier.value ?? ""), `${path}.value`, report);
  }
  return checkSystem(identifier.system ?? "", `${path}.system`, indexSystem, report);
}

/** Invisible characters are refused: two identifiers that look the same would differ. */
function checkValue(value: string, path: string, report: Report): void {
  if (PRINTABLE_ASCII.test(value)) return;
  if (isUnseen(value)) report("ELEMENT_MISSING", { element: path }, path);
  else if (hasInvisible(value)) report("PRIMITIVE_INVALID", { element: path, type: "string" }, path);
}

/** An identifier that one body names twice. */
export function checkRepetition(identifiers: readonly Placed<Identifier>[], report: Report): void {
  // Where no value comes twice no key does, which takes longer to be made.
  const values = identifiers.map(({ element }) => normalized(element.value ?? ""));
  if (values.every((value, at) => values.indexOf(value) === at)) return;
  const seen = new Set<string>();
  for (const { element: identifier, path } of identifiers) {
    const key = identifierKey(identifier);
    if (seen.has(key) && identifier.value !== undefined) {
      report("ELEMENT_REPEATED_TOO_OFTEN", { element: `${path} (system, value)`, max: "1" }, path);
    }
    seen.add(key);
  }
}

function checkSystem(
  system: string,
  path: string,
  indexSystem: string,
  report: Report,
): IdentifierSystem | undefined {
  if (system === indexSystem) {
    report("INTERNAL_IDENTIFIER_NOT_ACCEPTED", {}, path);
    return undefined;
  }
  const parsed = parseIdentifierSystem(system);
  if (parsed) return parsed;
  const isPlausible = PREFIX.test(system);
  report(isPlausible ? "IDENTIFIER_SYSTEM_UNKNOWN" : "IDENTIFIER_SYSTEM_PREFIX_WRONG", { system }, path);
  return undefined;
}
