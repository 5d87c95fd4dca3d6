import type { Guardianship } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import type { ContainedResource } from "#proto/patientindex/v1/contained_resource_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { atParameter, fault } from "../../errors/index.ts";
import { failingAs } from "../../registers/ports.ts";
import { isInForce, today } from "../../time/days.ts";
import { answerOf, type HistoryAnswer } from "../answer.ts";
import { type GivenValues, readCodes, understand } from "../asked-operation.ts";
import type { NamedPatient } from "../named-patient.ts";
import {
  conceptOf,
  type ObservationKind,
  observed,
  organizationPerformer,
  personPerformer,
  SNOMED,
} from "../observation.ts";
import type { SocialHistory } from "../social-history.ts";

const KIND: ObservationKind = {
  profile: "legal-guardian-status",
  code: { system: SNOMED, code: "1193838006" },
};
/** The patient is a guardian: the answer is the wards. */
const WARDSHIP = "365569001";
/** The patient has a guardian: the answer is the guardians. */
const GUARDIAN = "58626002";
const LEGAL_STATUS = "legal-status";

/** $legal-guardian: the patient's wards or guardians, by parameter legal-status (MPI-047, MPI-048). */
export async function listLegalGuardians(
  history: SocialHistory,
  parameters: readonly SearchParameter[],
): Promise<HistoryAnswer> {
  const asked = await understand(history, parameters, [LEGAL_STATUS], readLegalStatus);
  const { patient, noCache, own: status } = asked;
  const { personalCode } = patient;
  const { guardians, wards } = await failingAs(["RR_INTEGRATION_FAILED"], () =>
    history.registers.population.listGuardianships({ personalCode, noCache }),
  );
  const now = history.now();
  const observations = (status === WARDSHIP ? wards : guardians)
    .filter(({ period }) => isInForce(period, today(now)))
    .flatMap((guardianship) => {
      const performer = partyOf(guardianship, patient);
      const value = conceptOf(SNOMED, status);
      return performer
        ? [observed(KIND, patient, now, { value, period: guardianship.period, performer })]
        : [];
    });
  return answerOf(observations);
}

function readLegalStatus(given: GivenValues): string {
  const texts = given.values(LEGAL_STATUS);
  const [status = ""] = readCodes(given, LEGAL_STATUS, SNOMED);
  const place = atParameter(LEGAL_STATUS);
  if (texts.length > 1) given.note(fault("PARAMETER_REPEATED", { param: LEGAL_STATUS }, place));
  if (texts.some((text) => text.includes(","))) {
    given.note(fault("PARAMETER_SINGLE_VALUED", { param: LEGAL_STATUS }, place));
  } else if (status === "") given.note(fault("LEGAL_STATUS_REQUIRED", {}, place));
  else if (status !== WARDSHIP && status !== GUARDIAN)
    given.note(fault("LEGAL_STATUS_NOT_ALLOWED", {}, place));
  return status;
}

function partyOf({ party }: Guardianship, patient: NamedPatient): ContainedResource | undefined {
  if (party.case === "person") return personPerformer(patient, party.value);
  return party.case === "organization" ? organizationPerformer(party.value) : undefined;
}
