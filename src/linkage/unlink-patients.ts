import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { type CatalogueVersion, MpiError } from "../errors/index.ts";
import { showPatient } from "../patients/index.ts";
import type { Linkage } from "./linkage.ts";
import type { LockedPair, UnlinkDecision } from "./ports.ts";
import { unlinkDecision } from "./rules/index.ts";
import { type PairSelectors, placesOf, selectPair } from "./select-patients.ts";

/**
 * Releases the lower of two linked patients, given in either order, with all that is linked below it (spec rules.md,
 * "Linkage"), and answers with it as it then is.
 */
export async function unlinkPatients(
  linkage: Linkage,
  selectors: PairSelectors,
  version: CatalogueVersion,
): Promise<Patient> {
  const pair = await selectPair(linkage, selectors);
  const places = placesOf(selectors);
  const decide = (locked: LockedPair): UnlinkDecision => {
    const decision = unlinkDecision(locked, version, places);
    if ("meaning" in decision) throw MpiError.of([decision]);
    return decision;
  };
  const released = await linkage.links.unlink(pair, decide, linkage.patients.now(), linkage.telling);
  return showPatient(released);
}
