import type { RuleSetting } from "../content-rules/index.ts";
import type { PatientStore } from "./ports.ts";
import type { AddressResolution } from "./register/resolve-addresses.ts";
import type { RegisterIntake } from "./register/take-from-register.ts";
import type { SearchLimits } from "./search/parameters.ts";

/** What the use cases of patients work with. */
export interface PatientIndex {
  readonly store: PatientStore;
  readonly now: () => Date;
  /** The index's own URI, of which nobody may bring identifiers (MPI-056). */
  readonly indexSystem: string;
  readonly searchLimits: SearchLimits;
  /** How addresses are resolved. */
  readonly addresses: AddressResolution;
  /** How patients come from the population register. */
  readonly intake: RegisterIntake;
}

/** What the rules need to know of the world, as of now. */
export function ruleSetting({ now, indexSystem }: PatientIndex): RuleSetting {
  return { now: now(), indexSystem };
}
