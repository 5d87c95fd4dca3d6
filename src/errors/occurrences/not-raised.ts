import { never } from "./occurrence.ts";

/** What no request meets until now, or ever, by the reason. */
export const notRaised = {
  ...never("Never by itself: the code of the situations reported as it.", [
    "INPUT_INVALID",
    "FHIR_SERVER_ERROR",
  ]),
  ...never("Internal: a key that cannot be used, which no request brings about.", [
    "INDEX_ENCRYPTION_FAILED",
    "INDEX_HMAC_FAILED",
  ]),
  ...never("Shown to nobody: the caller has gone. It stands in the log.", ["CALL_CANCELLED"]),
  ...never("Refuses nothing: it ends what is watched or loaded when the service stops.", [
    "SERVICE_STOPPING",
  ]),
  ...never("With MPI_WM_MODE=sync only; otherwise in the state of job deliver-notifications.", [
    "WM_NOTIFICATION_FAILED",
  ]),
  ...never("Refuses nothing: a warning beside an answer, or a notice on an address.", [
    "PATIENT_DECEASED",
    "ADDRESS_OF_SEVERAL_BUILDING_PARTS",
    "ADDRESS_LACKS_LEVEL",
    "ADDRESS_WITH_ADS_OID_LACKS_LEVEL",
    "ADDRESS_LACKS_UN_MARK",
    "ADDRESS_TECHNICAL",
    "ADDRESS_OF_TYPE_MR",
  ]),
  ...never(
    "Refuses nothing: in the state of job deliver-notifications, when contact data could not be sent.",
    ["XROAD_RR_CONTACT_EXCHANGE_FAILED"],
  ),
} as const;
