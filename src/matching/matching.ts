import type { PatientIndex } from "../patients/index.ts";
import type { MatchStore } from "./ports.ts";

/** What the use cases of matching work with. */
export interface Matching {
  readonly patients: PatientIndex;
  readonly store: MatchStore;
}
