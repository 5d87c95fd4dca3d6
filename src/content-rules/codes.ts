import type { Report } from "./report.ts";

const GENDERS: ReadonlySet<string> = new Set(["male", "female", "other", "unknown"]);

/** Sex, where one is given: MPI-094. */
export function checkGender(gender: string | undefined, expression: string, report: Report): void {
  if (gender !== undefined && !GENDERS.has(gender)) report("SEX_UNKNOWN", { code: gender }, expression);
}
