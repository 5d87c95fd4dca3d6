import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { failingAs } from "../../registers/ports.ts";
import { isInForce, today } from "../../time/days.ts";
import { answerOf, deceasedNote, type HistoryAnswer } from "../answer.ts";
import { understand } from "../asked-operation.ts";
import { nationalConcept, type ObservationKind, observed, SNOMED } from "../observation.ts";
import type { SocialHistory } from "../social-history.ts";

const KIND: ObservationKind = { profile: "incapacity-for-work", code: { system: SNOMED, code: "301707001" } };

/** $incapacity-for-work: the decision in force on the patient's capacity for work. */
export async function listWorkIncapacities(
  history: SocialHistory,
  parameters: readonly SearchParameter[],
): Promise<HistoryAnswer> {
  const { patient, noCache } = await understand(history, parameters, [], () => undefined);
  const { personalCode } = patient;
  const { decisions } = await failingAs(["TK_INTEGRATION_FAILED"], () =>
    history.registers.unemployment.listWorkCapacities({ personalCode, noCache }),
  );
  const now = history.now();
  const observations = decisions
    .filter(({ period }) => isInForce(period, today(now)))
    .map(({ code, period }) =>
      observed(KIND, patient, now, { value: nationalConcept("toovoime-liik", code), period }),
    );
  return answerOf(observations, deceasedNote(patient));
}
