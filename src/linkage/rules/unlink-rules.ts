import { type CatalogueVersion, type Fault, fault } from "../../errors/index.ts";
import type { LockedPair, LockedPatient, UnlinkDecision } from "../ports.ts";
import { at, type PairPlaces } from "./pair-places.ts";
import { patientKind } from "./patient-kind.ts";

/** Spec rules.md, "Linkage": which of the two is released, or why none is. */
export function unlinkDecision(
  pair: LockedPair,
  version: CatalogueVersion,
  places?: PairPlaces,
): UnlinkDecision | Fault {
  const released = lowerOf(pair, version);
  // Two Estonian patients were linked by the population register, which knows that their codes are of one person.
  if (!released || patientKind(released.systems) === "estonian") {
    const meaning = version === "1.1.1" ? "PATIENTS_NOT_LINKED_DIRECTLY" : "PATIENTS_NOT_LINKED";
    return { ...fault(meaning), ...at(["source", "target"], places) };
  }
  if (version === "1.1.1") {
    return released.active === false
      ? { released: released.id, activate: true }
      : {
          ...fault("TARGET_PATIENT_ALREADY_ACTIVE"),
          ...at([released === pair.source ? "source" : "target"], places),
        };
  }
  return {
    released: released.id,
    activate: released.active !== true && (released.link?.deactivated ?? false),
  };
}

/** The secondary of a pair that was linked directly, or, since 1.5.0, that the primary of the group shows. */
function lowerOf({ source, target }: LockedPair, version: CatalogueVersion): LockedPatient | undefined {
  const ways: readonly (readonly [lower: LockedPatient, upper: LockedPatient])[] = [
    [source, target],
    [target, source],
  ];
  const linked = ways.find(
    ([lower, upper]) =>
      lower.link !== undefined &&
      (lower.link.primaryId === upper.id || (version !== "1.1.1" && lower.rootId === upper.id)),
  );
  return linked?.[0];
}
