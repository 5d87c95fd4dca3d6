// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import { type CodedMeaning, inEveryVersion, since150, wordedByVersion } from "./entry.ts";

const unsuitableIn111 = { nearest: "SEARCH_PARAMETERS_UNSUITABLE" } as const;

/** Parameters of searches and operations. */
export const parameterMeanings = {
  SEARCH_PARAMETERS_UNSUITABLE: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "invalid",
    versions: inEveryVersion("MPI-015", {
      et: "Otsinguparameetrid ei sobi või puuduvad.",
      en: "The search parameters are missing or unsuitable.",
    }),
  },
  TOO_MANY_RESULTS: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "too-costly",
    versions: wordedByVersion(
      "MPI-027",
      {
        et: "Leiti liiga palju tulemusi; kitsenda otsingutingimusi.",
        en: "Too many results were found; narrow the search criteria.",
      },
      {
        et: "Leiti liiga palju tulemusi; laienda otsingutingimusi.",
        en: "Too many results were found; widen the search criteria.",
      },
    ),
  },
  SORT_NOT_ALLOWED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "value",
    versions: since150(
      "MPI-037",
      {
        et: "Sortimisparameeter '${param}' ei ole lubatud.",
        en: "The sort parameter '${param}' is not allowed.",
      },
      unsuitableIn111,
    ),
  },
  IDENTIFIER_OF_NOBODY: {
    system: "MPI",
    status: GrpcStatus.NOT_FOUND,
    issueType: "not-found",
    versions: inEveryVersion("MPI-045", {
      et: "Parameetriga ${param} antud identifikaatori järgi ei leita ühtegi patsienti.",
      en: "The identifier given with the parameter ${param} leads to no patient.",
    }),
  },
  IDENTIFIER_OF_SEVERAL: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "multiple-matches",
    versions: inEveryVersion("MPI-046", {
      et: "Parameetriga ${param} leiti mitu patsiendikirjet.",
      en: "The parameter ${param} leads to several patient records.",
    }),
  },
  LEGAL_STATUS_REQUIRED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "required",
    versions: inEveryVersion("MPI-047", {
      et: "Parameeter legal-status on kohustuslik.",
      en: "The parameter legal-status is required.",
    }),
  },
  LEGAL_STATUS_NOT_ALLOWED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: inEveryVersion("MPI-048", {
      et: "Parameetri legal-status väärtus ei ole lubatud.",
      en: "The parameter legal-status has a value that is not allowed.",
    }),
  },
  GUARDIAN_ONLY_FOR_MINORS: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "business-rule",
    versions: since150(
      "MPI-064",
      {
        et: "Parameeter 'guardian-only' on lubatud ainult alaealise patsiendi puhul; täiskasvanu eestkostja leidmiseks kasuta operatsiooni $legal-guardian.",
        en: "The parameter 'guardian-only' is allowed for a minor only; the guardian of an adult is found by the operation $legal-guardian.",
      },
      unsuitableIn111,
    ),
  },
  PARAMETER_SINGLE_VALUED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "value",
    versions: since150(
      "MPI-075",
      {
        et: "Otsinguparameetril '${param}' tohib olla ainult üks väärtus.",
        en: "The search parameter '${param}' takes one value only.",
      },
      unsuitableIn111,
    ),
  },
  BIRTHDATE_FORMAT_WRONG: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "value",
    versions: since150(
      "MPI-076",
      {
        et: "Parameetri 'birthdate' ajavorming on vale; lubatud on YYYY-MM-DD.",
        en: "The parameter 'birthdate' has a wrong time format; YYYY-MM-DD is allowed.",
      },
      unsuitableIn111,
    ),
  },
  SOURCE_UNKNOWN: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: since150(
      "MPI-077",
      { et: "Tundmatu 'source' väärtus.", en: "The value of 'source' is not known." },
      unsuitableIn111,
    ),
  },
  PARAMETER_REQUIRED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "required",
    versions: since150(
      "MPI-078",
      {
        et: "Kohustuslik parameeter '${param}' puudub.",
        en: "The required parameter '${param}' is missing.",
      },
      unsuitableIn111,
    ),
  },
  PARAMETER_REPEATED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "value",
    versions: since150(
      "MPI-080",
      {
        et: "Otsinguparameetrit '${param}' tohib anda ainult ühe korra.",
        en: "The search parameter '${param}' may be given once only.",
      },
      unsuitableIn111,
    ),
  },
  PATIENT_IDENTIFIER_LIMIT_EXCEEDED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "too-costly",
    versions: since150(
      "MPI-095",
      {
        et: "Parameetri patient-identifier pakettpäringu piirang ${limit} on ületatud.",
        en: "The limit of ${limit} identifiers in one query by patient-identifier is exceeded.",
      },
      unsuitableIn111,
    ),
  },
} as const satisfies Readonly<Record<string, CodedMeaning>>;
