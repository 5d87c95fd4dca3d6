import type { HumanName } from "#proto/patientindex/v1/datatypes_pb.ts";
import { checkPeriod } from "./periods.ts";
import type { Report } from "./report.ts";

/** What holds of every name, whatever the profile asks. */
export function checkNames(names: readonly HumanName[], path: string, report: Report): void {
  for (const [index, name] of names.entries()) {
    checkPeriod(name.period, `${path}[${index}].period`, report);
  }
}
