import type { Report } from "./report.ts";

const GENDERS: ReadonlySet<string> = new Set(["male", "female", "other", "unknown"]);
const NAME_USES: ReadonlySet<string> = new Set([
  "usual",
  "official",
  "temp",
  "nickname",
  "anonymous",
  "old",
  "maiden",
]);
const IDENTIFIER_USES: ReadonlySet<string> = new Set(["usual", "official", "temp", "secondary", "old"]);

/** Sex, where one is given: MPI-094. */
export function checkGender(gender: string | undefined, expression: string, report: Report): void {
  if (gender !== undefined && !GENDERS.has(gender)) report("SEX_UNKNOWN", { code: gender }, expression);
}

/** HumanName.use by R5's required binding. */
export function checkNameUse(use: string | undefined, expression: string, report: Report): void {
  checkBoundCode(use, NAME_USES, expression, report);
}

/** Identifier.use by R5's required binding. */
export function checkIdentifierUse(use: string | undefined, expression: string, report: Report): void {
  checkBoundCode(use, IDENTIFIER_USES, expression, report);
}

function checkBoundCode(
  code: string | undefined,
  allowed: ReadonlySet<string>,
  expression: string,
  report: Report,
): void {
  if (code === undefined || allowed.has(code)) return;
  report("VALUE_NOT_ALLOWED", { element: expression, allowed: [...allowed].join(", ") }, expression);
}
