// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import { type CodedMeaning, inEveryVersion, since150, until111, wordedByVersion } from "./entry.ts";

/** Who asks, for whom, and whether they may. */
export const callerMeanings = {
  AUTHOR_IDENTIFIER_MISSING: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "required",
    versions: wordedByVersion(
      "MPI-028",
      {
        et: "Päringus puudub autori identifikaator (${param}).",
        en: "The request lacks the identifier of its author (${param}).",
      },
      {
        et: "Päringus puudub autori parameeter (${param}).",
        en: "The request lacks the author parameter (${param}).",
      },
    ),
  },
  QUERY_REASON_MISSING: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "required",
    versions: inEveryVersion("MPI-032", {
      et: "Päringul puudub päis 'x-road-issue'.",
      en: "The request lacks the header 'x-road-issue'.",
    }),
  },
  AUTHOR_INSTITUTION_MISSING: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "required",
    versions: inEveryVersion("MPI-033", {
      et: "Päringus puudub autori asutuse registrikood.",
      en: "The request lacks the registry code of its author's institution.",
    }),
  },
  AUTHOR_ROLE_MISSING: {
    system: "MPI",
    status: GrpcStatus.UNAUTHENTICATED,
    issueType: "security",
    versions: until111(
      "MPI-044",
      { et: "Päringus puudub autori roll.", en: "The request lacks the role of its author." },
      { nearest: "INTERACTION_NOT_ALLOWED" },
    ),
  },
  PATIENT_ACCESS_DENIED: {
    system: "MPI",
    status: GrpcStatus.PERMISSION_DENIED,
    issueType: "forbidden",
    versions: since150(
      "MPI-052",
      {
        et: "Ligipääs selle patsiendi küsitud andmetele ei ole lubatud.",
        en: "The requested data of this patient may not be accessed.",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
  USER_HEADER_MISSING: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "required",
    versions: inEveryVersion("MPI-060", {
      et: "Päringul puudub päis 'x-road-userid'.",
      en: "The request lacks the header 'x-road-userid'.",
    }),
  },
  REQUEST_ID_HEADER_MISSING: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "required",
    versions: inEveryVersion("MPI-061", {
      et: "Päringul puudub päis 'x-road-id'.",
      en: "The request lacks the header 'x-road-id'.",
    }),
  },
  AUTHOR_DIFFERS_FROM_USER: {
    system: "MPI",
    status: GrpcStatus.PERMISSION_DENIED,
    issueType: "security",
    versions: since150(
      "MPI-062",
      {
        et: "Päistes 'x-road-userid' ja 'x-author-id' on erinevad isikukoodid.",
        en: "The headers 'x-road-userid' and 'x-author-id' hold different personal codes.",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
  AUTHOR_ANONYMOUS: {
    system: "MPI",
    status: GrpcStatus.PERMISSION_DENIED,
    issueType: "security",
    versions: since150(
      "MPI-063",
      {
        et: "Päringu autor ei tohi olla anonüümne (isikukood ${impersonal_code}).",
        en: "The author of a request must not be anonymous (personal code ${impersonal_code}).",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
  AUTHOR_PERSONAL_CODE_INVALID: {
    system: "MPI",
    status: GrpcStatus.PERMISSION_DENIED,
    issueType: "security",
    versions: since150(
      "MPI-066",
      {
        et: "Päringu autori isikukood ${personalCode} on vigane.",
        en: "The personal code ${personalCode} of the request's author is incorrect.",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
  AUTHOR_UNKNOWN_IN_RR: {
    system: "MPI",
    status: GrpcStatus.PERMISSION_DENIED,
    issueType: "security",
    versions: since150(
      "MPI-091",
      {
        et: "Päringu autori isikukoodiga isikut rahvastikuregistris ei ole.",
        en: "The population register has no person with the personal code of the request's author.",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
  INTERACTION_NOT_ALLOWED: {
    system: "MPI",
    status: GrpcStatus.PERMISSION_DENIED,
    issueType: "forbidden",
    versions: since150(
      "MPI-403",
      { et: "Toiming ${interaction} ei ole lubatud.", en: "The interaction ${interaction} is not allowed." },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
} as const satisfies Readonly<Record<string, CodedMeaning>>;
