import type { Job } from "#proto/patientindex/registers/v1/employment_register_service_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { failingAs } from "../../registers/ports.ts";
import { answerOf, type HistoryAnswer } from "../answer.ts";
import { understand } from "../asked-operation.ts";
import {
  conceptOf,
  nationalConcept,
  type ObservationKind,
  observed,
  organizationPerformer,
  SNOMED,
} from "../observation.ts";
import type { SocialHistory } from "../social-history.ts";

const KIND: ObservationKind = { profile: "occupation", code: { system: SNOMED, code: "184104002" } };
const OCCUPATION = "160922003";
const RATE = "224374003";

/** $occupation: an observation for each job, with employer, occupation and rate. */
export async function listOccupations(
  history: SocialHistory,
  parameters: readonly SearchParameter[],
): Promise<HistoryAnswer> {
  const { patient, noCache } = await understand(history, parameters, [], () => undefined);
  const { personalCode } = patient;
  const { jobs } = await failingAs(["TOR_INTEGRATION_FAILED"], () =>
    history.registers.employment.listJobs({ personalCode, noCache }),
  );
  const now = history.now();
  const observations = jobs.map((job) =>
    observed(KIND, patient, now, {
      component: componentsOf(job),
      ...(job.employer && { performer: organizationPerformer(job.employer) }),
    }),
  );
  return answerOf(observations);
}

function componentsOf({ occupationCode, occupationDisplay, rate }: Job) {
  const occupation = nationalConcept("ametite-klassifikaator", occupationCode, occupationDisplay);
  return [
    {
      code: conceptOf(SNOMED, OCCUPATION),
      value: { case: "valueCodeableConcept" as const, value: occupation },
    },
    ...(rate === ""
      ? []
      : [
          {
            code: conceptOf(SNOMED, RATE),
            value: { case: "valueQuantity" as const, value: { value: rate } },
          },
        ]),
  ];
}
