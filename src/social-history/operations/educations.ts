import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { failingAs } from "../../registers/ports.ts";
import { answerOf, deceasedNote, type HistoryAnswer } from "../answer.ts";
import { understand } from "../asked-operation.ts";
import { nationalConcept, type ObservationKind, observed, SNOMED } from "../observation.ts";
import type { SocialHistory } from "../social-history.ts";

const KIND: ObservationKind = { profile: "education-level", code: { system: SNOMED, code: "105421008" } };

/** $education: the highest education of the patient, nothing when the register knows of none. */
export async function listEducations(
  history: SocialHistory,
  parameters: readonly SearchParameter[],
): Promise<HistoryAnswer> {
  const { patient, noCache } = await understand(history, parameters, [], () => undefined);
  const { personalCode } = patient;
  const { code, display } = await failingAs(["RR_INTEGRATION_FAILED"], () =>
    history.registers.population.readEducation({ personalCode, noCache }),
  );
  const value = nationalConcept("omandatud-korgeim-haridus", code, display);
  const observations = code === "" ? [] : [observed(KIND, patient, history.now(), { value })];
  return answerOf(observations, deceasedNote(patient));
}
