import type { PatientIndex } from "../patients/index.ts";
import type { LinkStore, Telling } from "./ports.ts";

/** What the use cases of linkage work with. */
export interface Linkage {
  readonly patients: PatientIndex;
  readonly links: LinkStore;
  readonly telling: Telling;
}
