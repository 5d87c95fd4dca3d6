import { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import type { Meaning } from "../../src/errors/index.ts";
import type { FaultOrder } from "../../src/sandbox/faults.ts";
import sandbox from "../../src/sandbox/people.json" with { type: "json" };

const { method } = SocialHistoryService;

/** The register operations that chains are asked for by, with their methods. */
export const chainOperations = {
  education: method.listEducations,
  "legal-status": method.listLegalStatuses,
  disability: method.listPatientDisabilities,
  "incapacity-for-work": method.listWorkIncapacities,
  occupation: method.listOccupations,
} as const;

/**
 * What a register is needed for: an operation on a person, a new patient who lives at an Estonian address, or any
 * request of an author.
 */
export type Asked =
  | { readonly operation: keyof typeof chainOperations; readonly personalCode?: string }
  | { readonly adrId: string }
  | { readonly author: string };

/** What a register does, and the chain of codes that comes of it. */
export interface Chain {
  readonly asked: Asked;
  /** What the sandbox is told to do; nothing where its answer itself is at fault. */
  readonly fault?: FaultOrder;
  /** The codes in 1.5.0, from the index's own to the register's. */
  readonly codes: readonly string[];
  /** Those in 1.1.1, where they are others. */
  readonly in111?: readonly string[];
  readonly status: number;
  readonly statusIn111?: number;
  readonly meanings: readonly Meaning[];
}

const RR: Readonly<Record<string, Meaning>> = {
  "10175": "RR_PERSON_AMBIGUOUS",
  "10035": "RR_SEVERAL_PERSONS",
  "10001": "RR_PERSONAL_CODE_LENGTH",
  "10002": "RR_PERSONAL_CODE_NOT_DIGITS",
  "10003": "RR_PERSONAL_CODE_FIRST_SYMBOL",
  "10004": "RR_PERSONAL_CODE_BIRTH_DATE",
  "10005": "RR_PERSONAL_CODE_CHECK_DIGIT",
  "10900": "RR_QUERY_UNDEFINED",
  "10022": "RR_PARAMETERS_MISSING",
  L027: "RR_STATUS_TO_CHECK",
  L068: "RR_RELATIONSHIP_ROLE_NOT_ALLOWED",
  L069: "RR_RELATIONSHIP_STATUS_NOT_ALLOWED",
  L077: "RR_RELATIONSHIP_NOT_FOUND",
};

const TOR: Readonly<Record<string, Meaning>> = {
  "50": "TOR_PROCESSING_FAILED",
  "51": "TOR_INPUT_MISSING",
  "57": "TOR_REQUEST_TYPE_MISSING",
  "58": "TOR_REQUIRED_DATA_MISSING",
  "59": "TOR_PERIOD_DATES_MISSING",
  "60": "TOR_CHANGE_DATES_MISSING",
  "61": "TOR_PM_DATES_MISSING",
  "63": "TOR_REQUEST_TYPE_WRONG",
  "68": "TOR_PERSONAL_CODE_MISSING",
  "69": "TOR_PERSONAL_CODE_LENGTH",
  "70": "TOR_DATA_NOT_LOADED",
  "71": "TOR_SYSTEM_PARAMETER_NOT_LOADED",
  "100": "TOR_TOO_MANY_RECORDS",
};

const KNOWN_ADDRESS: Asked = { adrId: sandbox.addresses[0]?.adrId ?? "" };
const SAID = "Registri sõnum";
const REFUSED = 502;
const AWAY = 503;

/** Every chain, register by register. */
export const chains: readonly Chain[] = [
  ...Object.entries(RR).map(
    ([code, meaning]): Chain => ({
      asked: { operation: "education" },
      fault: { register: "rr", code, message: SAID },
      codes: ["MPI-029", "XRR200", code],
      status: REFUSED,
      meanings: [meaning, "RR_INTEGRATION_FAILED", "XROAD_RR_REGISTER_ERROR"],
    }),
  ),
  {
    asked: { operation: "education" },
    fault: { register: "rr", code: "10027", message: SAID },
    codes: ["MPI-089", "XRR300", "10027"],
    in111: ["MPI-029", "XRR300", "10027"],
    status: 404,
    statusIn111: REFUSED,
    meanings: ["RR_PERSON_ABSENT", "PERSON_ABSENT_FROM_RR", "XROAD_RR_PERSON_OR_ACCOUNT_INVALID"],
  },
  {
    asked: { operation: "education" },
    fault: { register: "rr", code: "V10580", message: SAID },
    codes: ["MPI-029", "XRR300", "V10580"],
    status: REFUSED,
    meanings: ["RR_USER_INVALID"],
  },
  {
    asked: { operation: "legal-status" },
    fault: { register: "rr", code: "10900", message: SAID },
    codes: ["MPI-020", "MPI-029", "XRR200", "10900"],
    in111: ["MPI-029", "XRR200", "10900"],
    status: REFUSED,
    meanings: ["LEGAL_CAPACITY_FAILED"],
  },
  {
    asked: { operation: "education" },
    fault: { register: "rr", drop: true },
    codes: ["MPI-029", "XRR100"],
    status: AWAY,
    meanings: ["XROAD_RR_SYSTEM_ERROR"],
  },
  {
    asked: { operation: "education" },
    fault: { register: "rr", exchange: { type: "Server.ServerProxy.NetworkError", message: SAID } },
    codes: ["MPI-029", "XRR200"],
    status: REFUSED,
    meanings: ["XROAD_RR_REGISTER_ERROR"],
  },
  ...Object.entries(TOR).map(
    ([code, meaning]): Chain => ({
      asked: { operation: "occupation" },
      fault: { register: "tor", code, message: SAID },
      codes: ["MPI-040", "XR_TOR-100", code],
      status: REFUSED,
      meanings: [meaning, "TOR_INTEGRATION_FAILED", "XROAD_TOR_EXCHANGE_ERROR"],
    }),
  ),
  {
    asked: { operation: "occupation" },
    fault: { register: "tor", drop: true },
    codes: ["MPI-040", "XR_TOR-001"],
    status: AWAY,
    meanings: ["XROAD_TOR_INTERNAL_ERROR"],
  },
  {
    asked: { operation: "disability" },
    fault: { register: "ska", code: "S7", message: SAID },
    codes: ["MPI-030", "XSKA200", "S7"],
    in111: ["MPI-020", "MPI-030", "XSKA200", "S7"],
    status: REFUSED,
    meanings: ["SKA_INTEGRATION_FAILED", "XROAD_SKA_REGISTER_ERROR", "DISABILITY_FAILED"],
  },
  {
    asked: { operation: "disability" },
    fault: { register: "ska", drop: true },
    codes: ["MPI-030", "XSKA100"],
    in111: ["MPI-020", "MPI-030", "XSKA100"],
    status: AWAY,
    meanings: ["XROAD_SKA_SYSTEM_ERROR"],
  },
  // The codes of a register are its own: the population register alone means somebody whom it does not know.
  {
    asked: { operation: "disability" },
    fault: { register: "ska", code: "10027", message: SAID },
    codes: ["MPI-030", "XSKA200", "10027"],
    in111: ["MPI-020", "MPI-030", "XSKA200", "10027"],
    status: REFUSED,
    meanings: [],
  },
  {
    asked: KNOWN_ADDRESS,
    fault: { register: "ads", code: "10027", message: SAID },
    codes: ["MPI-031", "XR_ADS-100", "10027"],
    status: REFUSED,
    meanings: [],
  },
  {
    asked: { operation: "incapacity-for-work" },
    fault: { register: "tk", code: "T7", message: SAID },
    codes: ["MPI-043", "XTK200", "T7"],
    status: REFUSED,
    meanings: ["TK_INTEGRATION_FAILED", "XROAD_TK_REGISTER_ERROR"],
  },
  {
    asked: KNOWN_ADDRESS,
    fault: { register: "ads", code: "ADS7", message: SAID },
    codes: ["MPI-031", "XR_ADS-100", "ADS7"],
    status: REFUSED,
    meanings: ["ADS_INTEGRATION_FAILED", "XROAD_ADS_EXCHANGE_ERROR"],
  },
  {
    asked: KNOWN_ADDRESS,
    fault: { register: "ads", drop: true },
    codes: ["MPI-031", "XR_ADS-001"],
    status: AWAY,
    meanings: ["XROAD_ADS_INTERNAL_ERROR"],
  },
  {
    asked: { adrId: "1" },
    codes: ["MPI-051", "XR_ADS-404"],
    status: 422,
    meanings: ["ADR_ID_NOT_FOUND", "XROAD_ADS_ADDRESS_NOT_FOUND"],
  },
  {
    asked: { author: "60001019906" },
    codes: ["MPI-091", "XRR300", "10027"],
    in111: ["MPI-400", "XRR300", "10027"],
    status: 403,
    meanings: ["AUTHOR_UNKNOWN_IN_RR"],
  },
  {
    asked: { operation: "legal-status", personalCode: personWith("MPI-092") },
    codes: ["MPI-092"],
    in111: ["MPI-029"],
    status: REFUSED,
    meanings: ["LEGAL_CAPACITY_CODE_UNKNOWN"],
  },
  {
    asked: { operation: "incapacity-for-work" },
    fault: { register: "tk", drop: true },
    codes: ["MPI-043", "XTK100"],
    status: AWAY,
    meanings: ["XROAD_TK_SYSTEM_ERROR"],
  },
];

/** Every meaning that a chain holds. */
export const chainMeanings: ReadonlySet<Meaning> = new Set(chains.flatMap(({ meanings }) => meanings));

function personWith(note: string): string {
  const person = sandbox.people.find((one) => "note" in one && one.note?.includes(note));
  if (!person) throw new Error(`No person has the note ${note}.`);
  return person.personalCode;
}
