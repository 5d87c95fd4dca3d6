import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { latestDay } from "../time/days.ts";
import { daysMeant } from "../time/fhir-date.ts";
import type { Report } from "./report.ts";

/** Birth and death of somebody. */
export type LifeDates = Pick<Patient, "birthDate" | "deceased">;

/** Nobody was born on a day to come (MPI-096), wherever on Earth it is one already. */
export function checkBirthDate(birthDate: string | undefined, path: string, now: Date, report: Report): void {
  const birth = daysMeant(birthDate ?? "");
  if (birth && birth.from > latestDay(now)) report("DATE_AHEAD", { element: path }, path);
}

/** Nobody died on a day to come, nor before birth (MPI-096); of what is said in part, any day that it can mean counts. */
export function checkLifeDates(
  { birthDate, deceased }: LifeDates,
  path: string,
  now: Date,
  report: Report,
): void {
  checkBirthDate(birthDate, `${path}.birthDate`, now, report);
  if (deceased.case !== "deceasedDateTime") return;
  const element = `${path}.deceased`;
  const [birth, death] = [daysMeant(birthDate ?? ""), daysMeant(deceased.value)];
  if (death && death.from > latestDay(now)) report("DATE_AHEAD", { element }, element);
  else if (birth && death && death.to < birth.from) report("DEATH_BEFORE_BIRTH", { element }, element);
}
