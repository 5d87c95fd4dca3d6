import { toJson } from "@bufbuild/protobuf";
import {
  type NotifyLinkageRequest,
  NotifyLinkageRequestSchema,
  NotifyLinkageResponseSchema,
  type RetractLinkageRequest,
  RetractLinkageRequestSchema,
  RetractLinkageResponseSchema,
} from "#proto/patientindex/registers/v1/linkage_notification_service_pb.ts";
import { fault } from "../../errors/index.ts";
import { type AdapterErrors, ofFailedCall, reporting } from "../exchange/adapter-errors.ts";
import { answerOf } from "../exchange/person-adapter.ts";
import type { XRoadClient } from "../exchange/x-road-client.ts";

/** The adapter of WM has no codes of its own: what fails is MPI-039. */
const errors: AdapterErrors = {
  register: undefined,
  noAnswer: (silence) => fault("WM_NOTIFICATION_FAILED", {}, ofFailedCall(silence)),
  refused: () => fault("WM_NOTIFICATION_FAILED"),
};

/** The adapter of the WM service: LinkageNotificationService on its service. */
export function linkageNotificationAdapter(client: XRoadClient) {
  return {
    notifyLinkage: (request: NotifyLinkageRequest) =>
      reporting(errors, () =>
        client.ask({
          service: "linkages",
          body: toJson(NotifyLinkageRequestSchema, request),
          parse: (json) => answerOf(NotifyLinkageResponseSchema, json),
        }),
      ),
    retractLinkage: (request: RetractLinkageRequest) =>
      reporting(errors, () =>
        client.ask({
          service: "retractions",
          body: toJson(RetractLinkageRequestSchema, request),
          parse: (json) => answerOf(RetractLinkageResponseSchema, json),
          // The try that shut the circuit may have been taken: WM would know of a link that there is not.
          isOwed: true,
        }),
      ),
  };
}
