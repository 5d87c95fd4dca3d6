// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import { type CodedMeaning, inEveryVersion, since150, wordedByVersion } from "./entry.ts";

/** Identifiers of a patient: their systems, personal codes, uniqueness. */
export const identifierMeanings = {
  PATIENT_ALREADY_EXISTS: {
    system: "MPI",
    status: GrpcStatus.ALREADY_EXISTS,
    issueType: "duplicate",
    versions: inEveryVersion("MPI-010", {
      et: "Patsienti ei saa luua, sest sama identifikaatoriga patsient on juba olemas.",
      en: "The patient cannot be created: there already is one with the same identifier.",
    }),
  },
  IDENTIFIER_REQUIRED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "required",
    versions: inEveryVersion("MPI-016", {
      et: "Patsiendil peab olema vähemalt üks identifikaator.",
      en: "A patient needs at least one identifier.",
    }),
  },
  IDENTIFIERS_OF_SEVERAL_PATIENTS: {
    system: "MPI",
    status: GrpcStatus.ALREADY_EXISTS,
    issueType: "multiple-matches",
    versions: inEveryVersion("MPI-017", {
      et: "Salvestada ei saa: esitatud identifikaatorid kuuluvad mitmele erinevale patsiendile.",
      en: "Nothing can be saved: the given identifiers belong to several different patients.",
    }),
  },
  PERSONAL_CODE_NOT_FOUND: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: inEveryVersion("MPI-022", {
      et: "Patsiendi isikukoodi ei leitud.",
      en: "No personal code of the patient was found.",
    }),
  },
  IDENTIFIER_SYSTEM_UNKNOWN: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: inEveryVersion("MPI-025", {
      et: "Tundmatu identifikaatori süsteem ${system}.",
      en: "The identifier system ${system} is not known.",
    }),
  },
  IDENTIFIER_SYSTEM_PREFIX_WRONG: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "value",
    versions: wordedByVersion(
      "MPI-025.01",
      {
        et: "Identifikaatori süsteem '${system}' ei vasta reeglitele: see peab algama eesliitega 'urn:oid', 'https:' või 'http:'.",
        en: "The identifier system '${system}' breaks the rules: it must begin with 'urn:oid', 'https:' or 'http:'.",
      },
      {
        et: "Identifikaatori süsteem '${system}' ei vasta reeglitele: see peaks algama eesliitega 'urn:oid', 'https:' või 'http:'.",
        en: "The identifier system '${system}' breaks the rules: it should begin with 'urn:oid', 'https:' or 'http:'.",
      },
    ),
  },
  REQUEST_PERSONAL_CODE_INVALID: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "value",
    versions: since150(
      "MPI-044",
      {
        et: "Päringus on vigane Eesti isikukood: ${code}.",
        en: "The request holds an invalid Estonian personal code: ${code}.",
      },
      { nearest: "SEARCH_PARAMETERS_UNSUITABLE" },
    ),
  },
  ESTONIAN_PATIENT_NOT_CREATABLE: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: inEveryVersion("MPI-050", {
      et: "Eesti isikukoodiga patsienti ei tohi luua päringuga POST /Patient; kasuta operatsiooni /Patient/$lookup, mille allikas on rahvastikuregister.",
      en: "A patient with an Estonian personal code may not be created by POST /Patient; use /Patient/$lookup with the population register as its source.",
    }),
  },
  INTERNAL_IDENTIFIER_NOT_ACCEPTED: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: since150(
      "MPI-056",
      {
        et: "MPI sisemist identifikaatorit ei saa luua ega siduda.",
        en: "The internal identifier of the MPI can be neither created nor linked.",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
  DOCUMENT_NEEDS_NATIONAL_CODE: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "required",
    versions: inEveryVersion("MPI-070", {
      et: "Identifikaatorile ${id-system} ja ${id-value} (dokumendi number) tuleb lisada ka isikukood süsteemis ${required}.",
      en: "An identifier of ${id-system} and ${id-value} (a document number) needs a personal code in the system ${required} beside it.",
    }),
  },
  PATIENT_PERSONAL_CODE_INVALID: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "value",
    versions: since150(
      "MPI-090",
      {
        et: "Esitatud isikukood (${identifier}) on vigane.",
        en: "The given personal code (${identifier}) is incorrect.",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
} as const satisfies Readonly<Record<string, CodedMeaning>>;
