import { toJson } from "@bufbuild/protobuf";
import {
  type UpdateContactDataRequest,
  UpdateContactDataRequestSchema,
  UpdateContactDataResponseSchema,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { fault } from "../../errors/index.ts";
import { type AdapterErrors, ofFailedCall, reporting } from "../exchange/adapter-errors.ts";
import { answerOf } from "../exchange/person-adapter.ts";
import type { XRoadClient } from "../exchange/x-road-client.ts";

/** Whatever goes wrong with contact data is XRR400, followed by what it was. */
const contactErrors: AdapterErrors = {
  register: "RR",
  noAnswer: (silence) => fault("XROAD_RR_CONTACT_EXCHANGE_FAILED", { original: "" }, ofFailedCall(silence)),
  refused: ({ original }) => fault("XROAD_RR_CONTACT_EXCHANGE_FAILED", { original }),
};

/** Tells the register of contact data; the id of the message makes it safe to repeat. */
export function updateContactData(client: XRoadClient) {
  return (request: UpdateContactDataRequest) =>
    reporting(contactErrors, () =>
      client.ask({
        service: "contact-data",
        body: toJson(UpdateContactDataRequestSchema, request),
        parse: (json) => answerOf(UpdateContactDataResponseSchema, json),
      }),
    );
}
