import { ListJobsResponseSchema } from "#proto/patientindex/registers/v1/employment_register_service_pb.ts";
import { fault } from "../../errors/index.ts";
import { type AdapterErrors, ofSilence } from "../exchange/adapter-errors.ts";
import { type PersonAdapterParts, personMethod } from "../exchange/person-adapter.ts";

/** XR_TOR-001, XR_TOR-100. */
const errors: AdapterErrors = {
  register: "TAX_BOARD_TOR",
  noAnswer: (silence) => fault("XROAD_TOR_INTERNAL_ERROR", {}, ofSilence(silence)),
  refused: ({ code, text }) => fault("XROAD_TOR_EXCHANGE_ERROR", { code, text }),
};

/** The adapter of the employment register: EmploymentRegisterService on its service. */
export function employmentAdapter(parts: PersonAdapterParts) {
  return {
    listJobs: personMethod(parts, errors, {
      name: "employment.ListJobs",
      service: "jobs",
      answer: ListJobsResponseSchema,
    }),
  };
}
