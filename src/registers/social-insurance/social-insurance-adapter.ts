import { ListDisabilitiesResponseSchema } from "#proto/patientindex/registers/v1/social_insurance_service_pb.ts";
import { fault } from "../../errors/index.ts";
import { type AdapterErrors, ofSilence } from "../exchange/adapter-errors.ts";
import { type PersonAdapterParts, personMethod } from "../exchange/person-adapter.ts";

/** XSKA100, XSKA200. */
const errors: AdapterErrors = {
  register: "SOCIAL_INSURANCE",
  noAnswer: (silence) => fault("XROAD_SKA_SYSTEM_ERROR", {}, ofSilence(silence)),
  refused: ({ original }) => fault("XROAD_SKA_REGISTER_ERROR", { original }),
};

/** The adapter of the social insurance board: SocialInsuranceService on its service. */
export function socialInsuranceAdapter(parts: PersonAdapterParts) {
  return {
    listDisabilities: personMethod(parts, errors, {
      name: "social-insurance.ListDisabilities",
      service: "disabilities",
      answer: ListDisabilitiesResponseSchema,
    }),
  };
}
