import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { failingAs } from "../../registers/ports.ts";
import { today } from "../../time/days.ts";
import { answerOf, deceasedNote, type HistoryAnswer } from "../answer.ts";
import { understand } from "../asked-operation.ts";
import { capacityOf } from "../legal-capacity.ts";
import { nationalConcept, type ObservationKind, observed, SNOMED } from "../observation.ts";
import type { SocialHistory } from "../social-history.ts";

const KIND: ObservationKind = { profile: "legal-status", code: { system: SNOMED, code: "8625004" } };

/** $legal-status: the decisions on legal capacity that are in force, or what holds by law without one. */
export async function listLegalStatuses(
  history: SocialHistory,
  parameters: readonly SearchParameter[],
): Promise<HistoryAnswer> {
  const { patient, noCache } = await understand(history, parameters, [], () => undefined);
  const { personalCode } = patient;
  const { decisions } = await failingAs(["LEGAL_CAPACITY_FAILED", "RR_INTEGRATION_FAILED"], () =>
    history.registers.population.listCapacityDecisions({ personalCode, noCache }),
  );
  const now = history.now();
  const observations = capacityOf(decisions, patient, today(now)).map(({ code, period }) =>
    observed(KIND, patient, now, { value: nationalConcept("teovoime-staatus", code), period }),
  );
  return answerOf(observations, deceasedNote(patient));
}
