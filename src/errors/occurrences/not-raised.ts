import { never } from "./occurrence.ts";

const comesWith = (capability: string) => `Comes with ${capability}.`;
const access = comesWith("callers and their rights");

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
  ...never("Refuses nothing: in the state of jobs check-index and reencrypt-index.", ["INDEX_INCONSISTENT"]),
  ...never(access, [
    "AUTHOR_IDENTIFIER_MISSING",
    "AUTHOR_INSTITUTION_MISSING",
    "PATIENT_ACCESS_DENIED",
    "USER_HEADER_MISSING",
    "REQUEST_ID_HEADER_MISSING",
    "AUTHOR_DIFFERS_FROM_USER",
    "INTERACTION_NOT_ALLOWED",
    "TOKEN_MISSING",
    "TOKEN_REFUSED",
    "TOKEN_OF_ANOTHER_USER",
  ]),
  ...never(`${access} In 1.5.0 it is one of the rights that are missing.`, ["AUTHOR_ROLE_MISSING"]),
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
  ...never("Where authors are checked only (MPI_AUTHOR_CHECK), which is off by default.", [
    "AUTHOR_ANONYMOUS",
    "AUTHOR_PERSONAL_CODE_INVALID",
    "AUTHOR_UNKNOWN_IN_RR",
  ]),
} as const;
