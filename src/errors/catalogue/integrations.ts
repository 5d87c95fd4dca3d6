// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import { type CodedMeaning, inEveryVersion, since150, until111 } from "./entry.ts";

/** A register answered with an error; or it was out of reach, or late. */
const registerFailed = {
  status: GrpcStatus.UNKNOWN,
  otherStatuses: [GrpcStatus.UNAVAILABLE, GrpcStatus.DEADLINE_EXCEEDED],
  issueType: "exception",
} as const;

/** The index's own issue at the head of a chain of register errors. */
export const integrationMeanings = {
  LEGAL_CAPACITY_FAILED: {
    system: "MPI",
    ...registerFailed,
    versions: since150(
      "MPI-020",
      {
        et: "Patsiendi teovõime andmete pärimine ebaõnnestus.",
        en: "The legal capacity of the patient could not be retrieved.",
      },
      { nearest: "RR_INTEGRATION_FAILED" },
    ),
  },
  DISABILITY_FAILED: {
    system: "MPI",
    ...registerFailed,
    versions: until111(
      "MPI-020",
      {
        et: "Patsiendi puude andmete pärimine ebaõnnestus.",
        en: "The disability information of the patient could not be retrieved.",
      },
      { nearest: "SKA_INTEGRATION_FAILED" },
    ),
  },
  RR_INTEGRATION_FAILED: {
    system: "MPI",
    ...registerFailed,
    versions: inEveryVersion("MPI-029", {
      et: "Andmevahetus teenusega xroad-rr ebaõnnestus.",
      en: "The exchange with the service xroad-rr failed.",
    }),
  },
  SKA_INTEGRATION_FAILED: {
    system: "MPI",
    ...registerFailed,
    versions: inEveryVersion("MPI-030", {
      et: "Andmevahetus teenusega xroad-sk ebaõnnestus.",
      en: "The exchange with the service xroad-sk failed.",
    }),
  },
  ADS_INTEGRATION_FAILED: {
    system: "MPI",
    ...registerFailed,
    versions: inEveryVersion("MPI-031", {
      et: "Andmevahetus teenusega xroad-ads ebaõnnestus.",
      en: "The exchange with the service xroad-ads failed.",
    }),
  },
  WM_NOTIFICATION_FAILED: {
    system: "MPI",
    ...registerFailed,
    versions: inEveryVersion("MPI-039", {
      et: "WM-teenust ei saanud patsientide sidumisest teavitada.",
      en: "The WM service could not be told of the linkage of the patients.",
    }),
  },
  TOR_INTEGRATION_FAILED: {
    system: "MPI",
    ...registerFailed,
    versions: inEveryVersion("MPI-040", {
      et: "Andmevahetus teenusega xroad-tor ebaõnnestus.",
      en: "The exchange with the service xroad-tor failed.",
    }),
  },
  TK_INTEGRATION_FAILED: {
    system: "MPI",
    ...registerFailed,
    versions: inEveryVersion("MPI-043", {
      et: "Andmevahetus teenusega xroad-tk ebaõnnestus.",
      en: "The exchange with the service xroad-tk failed.",
    }),
  },
  LEGAL_CAPACITY_CODE_UNKNOWN: {
    system: "MPI",
    ...registerFailed,
    versions: since150(
      "MPI-092",
      {
        et: "Tundmatu kood '${code}' teovõime koodisüsteemis.",
        en: "The code '${code}' is not known in the code system of legal capacity.",
      },
      { nearest: "RR_INTEGRATION_FAILED" },
    ),
  },
} as const satisfies Readonly<Record<string, CodedMeaning>>;
