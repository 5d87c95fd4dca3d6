import { isEstonianPersonalCode, parseIdentifierSystem } from "../../identifiers/index.ts";

/** Spec rules.md, "Linkage". */
export type PatientKind = "estonian" | "foreign" | "unknown";

/** Estonian types by which a person is not known. */
const UNKNOWN_TYPES = /^(?:mr|mrt|npi|prn\/.+)$/;

/** The kind of a patient by the systems of its own identifiers, ended ones included. */
export function patientKind(systems: readonly string[]): PatientKind {
  if (systems.some(isEstonianPersonalCode)) return "estonian";
  return systems.every(isOfUnknown) ? "unknown" : "foreign";
}

function isOfUnknown(uri: string): boolean {
  const system = parseIdentifierSystem(uri);
  return system?.country === "est" && UNKNOWN_TYPES.test(system.type);
}
