import { create } from "@bufbuild/protobuf";
import type { CapacityDecision } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { CapacityDecisionSchema } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { MpiError } from "../../errors/index.ts";
import { failedRegister } from "../../registers/ports.ts";
import { dayAfter, fullAgeDay, isInForce, isMinor, today } from "../../time/days.ts";
import { answerOf, deceasedNote, type HistoryAnswer } from "../answer.ts";
import { understand } from "../asked-operation.ts";
import { nationalConcept, type ObservationKind, observed, SNOMED } from "../observation.ts";
import type { SocialHistory } from "../social-history.ts";

const KIND: ObservationKind = { profile: "legal-status", code: { system: SNOMED, code: "8625004" } };
const KNOWN: ReadonlySet<string> = new Set(["T0", "T1", "T2", "T3"]);
const FULL_CAPACITY = "T0";

/** $legal-status: the decisions on legal capacity that are in force, or what holds by law without one. */
export async function listLegalStatuses(
  history: SocialHistory,
  parameters: readonly SearchParameter[],
): Promise<HistoryAnswer> {
  const { patient, noCache } = await understand(history, parameters, [], () => undefined);
  const { personalCode, birthDate } = patient;
  const { decisions } = await failedRegister(["LEGAL_CAPACITY_FAILED", "RR_INTEGRATION_FAILED"], () =>
    history.registers.population.listCapacityDecisions({ personalCode, noCache }),
  );
  const now = history.now();
  const observations = capacityOf(decisions, birthDate, today(now)).map(({ code, period }) =>
    observed(KIND, patient, now, { value: nationalConcept("teovoime-staatus", code), period }),
  );
  return answerOf(observations, deceasedNote(patient));
}

/**
 * The decisions in force on a day. Without one a minor's capacity is not said, and an adult has all of it (T0): since
 * the 18th birthday, or since the last decision ended (MPI-092 for a code that is none of teovoime-staatus).
 */
function capacityOf(
  decisions: readonly CapacityDecision[],
  birthDate: string | undefined,
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
  return [create(CapacityDecisionSchema, { code: FULL_CAPACITY, period: { start } })];
}
