import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { type CatalogueVersion, refuseFor } from "../errors/index.ts";
import { showPatient } from "../patients/index.ts";
import type { Linkage } from "./linkage.ts";
import type { LinkDecision, LockedPair } from "./ports.ts";
import { linkFaults } from "./rules/index.ts";
import { type PairSelectors, placesOf, selectPair } from "./select-patients.ts";

/** Links the source below the target (spec rules.md, "Linkage"), and answers with the target as it then is. */
export async function linkPatients(
  linkage: Linkage,
  selectors: PairSelectors,
  version: CatalogueVersion,
): Promise<Patient> {
  const pair = await selectPair(linkage, selectors);
  const places = placesOf(selectors);
  const decide = (locked: LockedPair): LinkDecision => {
    refuseFor(linkFaults(locked, version, places));
    // 1.5.0 leaves `active` as it is.
    return { deactivate: version === "1.1.1" };
  };
  const target = await linkage.links.link(pair, decide, linkage.patients.now(), linkage.telling);
  return showPatient(target);
}
