import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { failingAs } from "../../registers/ports.ts";
import { answerOf, deceasedNote, type HistoryAnswer } from "../answer.ts";
import { understand } from "../asked-operation.ts";
import { LOINC, nationalConcept, type ObservationKind, observed } from "../observation.ts";
import type { SocialHistory } from "../social-history.ts";

const KIND: ObservationKind = { profile: "disability", code: { system: LOINC, code: "95377-8" } };

/** $disability: every decision on disability, with its period. */
export async function listPatientDisabilities(
  history: SocialHistory,
  parameters: readonly SearchParameter[],
): Promise<HistoryAnswer> {
  const { patient, noCache } = await understand(history, parameters, [], () => undefined);
  const { personalCode } = patient;
  const { disabilities } = await failingAs(["DISABILITY_FAILED", "SKA_INTEGRATION_FAILED"], () =>
    history.registers.socialInsurance.listDisabilities({ personalCode, noCache }),
  );
  const now = history.now();
  const observations = disabilities.map(({ degree, period }) =>
    observed(KIND, patient, now, { value: nationalConcept("puude-raskusaste", degree), period }),
  );
  return answerOf(observations, deceasedNote(patient));
}
