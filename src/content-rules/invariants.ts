import type { Message } from "@bufbuild/protobuf";
import type { Period } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Invariant, invariantsOfContained, invariantsOfTypes, type Node } from "./invariant-table.ts";
import { isReversedPeriod } from "./periods.ts";
import type { Report } from "./report.ts";
import { anyMessage, belowResource, visitMessages } from "./visit-messages.ts";

/** Invariants that other rules check, with codes of their own or at the places of the body: by key and path below the resource. */
const CHECKED_ELSEWHERE: ReadonlySet<string> = new Set([
  "cpt-2 telecom",
  "per-1 identifier.period",
  "per-1 telecom.period",
  "per-1 address.period",
  "per-1 name.period",
  "per-1 period",
  "per-1 effective",
]);

const PERIOD: Invariant = ["per-1", (period) => !isReversedPeriod(period as unknown as Period)];
const NONE: readonly Invariant[] = [];
const byTypeName = new Map<string, readonly Invariant[]>();

/** Whether an element breaks an invariant of R5 by itself. */
export function breaksInvariant(message: Message): boolean {
  for (const [, holds] of invariantsOf(message)) if (!holds(message as unknown as Node)) return true;
  return false;
}

/**
 * Refuses elements that break an invariant of R5 (MPI-096): validators of whoever reads the resource would refuse all of
 * it. Those of values in extensions and in contained resources are looked at too.
 */
export function checkInvariants(stored: Message, root: string, report: Report): void {
  if (!anyMessage(stored, breaksInvariant)) return;
  visitMessages(stored, root, (message, element) => {
    for (const [key, holds] of invariantsOf(message)) {
      if (holds(message as unknown as Node) || CHECKED_ELSEWHERE.has(`${key} ${belowResource(element)}`))
        continue;
      if (key === "per-1") report("PERIOD_REVERSED", { element }, element);
      else report("INVARIANT_BROKEN", { element, key }, element);
    }
  });
}

/** Asked of every element of every patient. */
function invariantsOf({ $typeName }: Message): readonly Invariant[] {
  let known = byTypeName.get($typeName);
  if (known === undefined) {
    known = invariantsOfType($typeName.replace("patientindex.v1.", ""));
    byTypeName.set($typeName, known);
  }
  return known;
}

function invariantsOfType(name: string): readonly Invariant[] {
  if (name === "Period") return [PERIOD];
  const [, inside] = /^ContainedResource\.(.*)$/.exec(name) ?? [];
  const ofType = invariantsOfTypes[inside ?? name] ?? NONE;
  return inside === undefined || inside.includes(".") ? ofType : [...ofType, ...invariantsOfContained];
}
