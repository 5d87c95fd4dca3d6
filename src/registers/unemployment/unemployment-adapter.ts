import { ListWorkCapacitiesResponseSchema } from "#proto/patientindex/registers/v1/unemployment_fund_service_pb.ts";
import { fault } from "../../errors/index.ts";
import { type AdapterErrors, ofSilence } from "../exchange/adapter-errors.ts";
import { type PersonAdapterParts, personMethod } from "../exchange/person-adapter.ts";

/** XTK100, XTK200. */
const errors: AdapterErrors = {
  register: "UNEMPLOYMENT_FUND",
  noAnswer: (silence) => fault("XROAD_TK_SYSTEM_ERROR", {}, ofSilence(silence)),
  refused: ({ original }) => fault("XROAD_TK_REGISTER_ERROR", { original }),
};

/** The adapter of the unemployment insurance fund: UnemploymentFundService on its service. */
export function unemploymentAdapter(parts: PersonAdapterParts) {
  return {
    listWorkCapacities: personMethod(parts, errors, {
      name: "unemployment.ListWorkCapacities",
      service: "work-capacity",
      answer: ListWorkCapacitiesResponseSchema,
    }),
  };
}
