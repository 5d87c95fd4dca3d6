import type { Report } from "./report.ts";

/** All that FHIR knows (AdministrativeGender). */
export const GENDERS: readonly string[] = ["male", "female", "other", "unknown"];

/** Sex, where one is given: MPI-094. */
export function checkGender(gender: string | undefined, expression: string, report: Report): void {
  if (gender !== undefined && !GENDERS.includes(gender)) report("SEX_UNKNOWN", { code: gender }, expression);
}
