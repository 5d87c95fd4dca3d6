import type { PatientStore } from "../patients/ports.ts";
import type { Registers } from "../registers/ports.ts";

/** What the social-history operations work with. */
export interface SocialHistory {
  readonly patients: PatientStore;
  readonly registers: Registers;
  readonly now: () => Date;
}
