import { equals } from "@bufbuild/protobuf";
import { type Identifier, IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { identifierKey, type Placed, type Report, storedIdentifier } from "../../content-rules/index.ts";
import { isEstonianPersonalCode } from "../../identifiers/index.ts";
import { reportAddedPersonalCode } from "./identifiers.ts";

/**
 * Identifiers may be added and ended, not removed or changed (MPI-096); of an Estonian personal code nothing may be
 * changed (MPI-071), and none may be added (MPI-050).
 */
export function checkIdentifierChanges(
  current: readonly Identifier[],
  given: readonly Placed<Identifier>[],
  report: Report,
): void {
  const before = new Map(current.map((identifier) => [identifierKey(identifier), identifier]));
  const added: Placed<Identifier>[] = [];
  for (const identifier of given) {
    const key = identifierKey(identifier.element);
    const own = before.get(key);
    if (own) checkKept(own, identifier, report);
    else added.push(identifier);
  }
  const kept = new Set(given.map(({ element }) => identifierKey(element)));
  const removed = current.filter((identifier) => !kept.has(identifierKey(identifier)));
  const replacing = reportRemoved(removed, added, report);
  for (const identifier of added) {
    if (!replacing.has(identifier)) reportAddedPersonalCode(identifier, report);
  }
}

function checkKept(current: Identifier, { element, path }: Placed<Identifier>, report: Report): void {
  if (!isEstonianPersonalCode(current.system)) return;
  if (!equals(IdentifierSchema, storedIdentifier(element), storedIdentifier(current))) {
    report("ESTONIAN_PATIENT_ELEMENT_FIXED", {}, path);
  }
}

/** Reports what is gone; answers with the new identifiers of the same systems, which are taken as changes. */
function reportRemoved(
  removed: readonly Identifier[],
  added: readonly Placed<Identifier>[],
  report: Report,
): ReadonlySet<Placed<Identifier>> {
  const replacing = new Set<Placed<Identifier>>();
  for (const { system = "" } of removed) {
    const successor = added.find((other) => other.element.system === system && !replacing.has(other));
    if (successor) replacing.add(successor);
    const place = successor ? `${successor.path}.value` : "Patient.identifier";
    if (isEstonianPersonalCode(system)) report("ESTONIAN_PATIENT_ELEMENT_FIXED", {}, place);
    else report(successor ? "IDENTIFIER_CHANGED" : "IDENTIFIER_REMOVED", { system }, place);
  }
  return replacing;
}
