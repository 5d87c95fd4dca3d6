import { create } from "@bufbuild/protobuf";
import {
  type CapacityDecision,
  CapacityDecisionSchema,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { MpiError } from "../errors/index.ts";
import { dayAfter, fullAgeDay, isInForce, isMinor } from "../time/days.ts";
import type { NamedPatient } from "./named-patient.ts";

const KNOWN: ReadonlySet<string> = new Set(["T0", "T1", "T2", "T3"]);
const FULL_CAPACITY = "T0";

/**
 * The decisions in force on a day. Without one a minor's capacity is not said, and an adult has all of it (T0): since
 * the 18th birthday, or since the last decision ended, unless the patient had died by then (MPI-092 for a code that is
 * none of teovoime-staatus).
 */
export function capacityOf(
  decisions: readonly CapacityDecision[],
  { birthDate, deathDate }: Pick<NamedPatient, "birthDate" | "deathDate">,
  day: string,
): CapacityDecision[] {
  const unknown = decisions.find(({ code }) => !KNOWN.has(code));
  if (unknown) throw new MpiError("LEGAL_CAPACITY_CODE_UNKNOWN", { code: unknown.code });
  const inForce = decisions.filter(({ period }) => isInForce(period, day));
  if (inForce.length > 0) return inForce;
  if (isMinor(birthDate, day)) return [];
  const ended = decisions.flatMap(({ period }) =>
    period && period.end !== "" && period.end < day ? dayAfter(period.end) : [],
  );
  const start = [fullAgeDay(birthDate) ?? "", ...ended].sort().at(-1) ?? "";
  if (deathDate !== undefined && deathDate < start) return [];
  return [create(CapacityDecisionSchema, { code: FULL_CAPACITY, period: { start } })];
}
