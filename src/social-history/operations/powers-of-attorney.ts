import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { atParameter, fault } from "../../errors/index.ts";
import { failingAs } from "../../registers/ports.ts";
import { isMinor, today } from "../../time/days.ts";
import { answerOf, type HistoryAnswer } from "../answer.ts";
import { readFlag, understand } from "../asked-operation.ts";
import { custodiesInForce } from "../custody.ts";
import { nationalConcept, type ObservationKind, observed, personPerformer, SNOMED } from "../observation.ts";
import type { SocialHistory } from "../social-history.ts";

const KIND: ObservationKind = { profile: "power-of-attorney", code: { system: SNOMED, code: "186063005" } };
const GUARDIAN_ONLY = "guardian-only";

/**
 * $power-of-attorney: of a minor those who have custody, and, unless only guardians are asked for (MPI-064), those of whom
 * the patient has it; of an adult the latter.
 */
export async function listPowersOfAttorney(
  history: SocialHistory,
  parameters: readonly SearchParameter[],
): Promise<HistoryAnswer> {
  const now = history.now();
  const day = today(now);
  const {
    patient,
    noCache,
    own: guardianOnly,
  } = await understand(history, parameters, [GUARDIAN_ONLY], (given, named) => {
    const isGuardianOnly = readFlag(given, GUARDIAN_ONLY);
    if (isGuardianOnly && named?.birthDate !== undefined && !isMinor(named.birthDate, day)) {
      given.note(fault("GUARDIAN_ONLY_FOR_MINORS", {}, atParameter(GUARDIAN_ONLY)));
    }
    return isGuardianOnly;
  });
  const { personalCode } = patient;
  const custodies = await failingAs(["RR_INTEGRATION_FAILED"], () =>
    history.registers.population.listCustodies({ personalCode, noCache }),
  );
  const { holders, dependants } = custodiesInForce(custodies, patient, day);
  const observations = [...holders, ...(guardianOnly ? [] : dependants)].flatMap(
    ({ type, person, period }) => {
      const value = nationalConcept("hooldusoiguse-liik", type);
      return person
        ? [observed(KIND, patient, now, { value, period, performer: personPerformer(patient, person) })]
        : [];
    },
  );
  return answerOf(observations);
}
