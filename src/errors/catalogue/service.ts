// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import { type CodedMeaning, inEveryVersion, since150, wordedByVersion } from "./entry.ts";

/** The service itself: its faults, the encrypted index, input as such, background jobs. */
export const serviceMeanings = {
  INTERNAL_ERROR: {
    system: "MPI",
    status: GrpcStatus.INTERNAL,
    issueType: "exception",
    versions: inEveryVersion("MPI-001", {
      et: "Patsiendiindeksi teenuses tekkis sisemine viga.",
      en: "Something went wrong inside the patient index service.",
    }),
  },
  INDEX_ENCRYPTION_FAILED: {
    system: "MPI",
    status: GrpcStatus.INTERNAL,
    issueType: "exception",
    versions: inEveryVersion("MPI-002", {
      et: "Patsiendiindeksi krüpteerimine ebaõnnestus.",
      en: "The patient index could not be encrypted.",
    }),
  },
  INDEX_DECRYPTION_FAILED: {
    system: "MPI",
    status: GrpcStatus.INTERNAL,
    issueType: "exception",
    versions: inEveryVersion("MPI-003", {
      et: "Patsiendiindeksi dekrüpteerimine ebaõnnestus.",
      en: "The patient index could not be decrypted.",
    }),
  },
  INDEX_HMAC_FAILED: {
    system: "MPI",
    status: GrpcStatus.INTERNAL,
    issueType: "exception",
    versions: inEveryVersion("MPI-004", {
      et: "Patsiendiindeksi HMAC-väärtuse arvutamine ebaõnnestus.",
      en: "The HMAC of the patient index could not be computed.",
    }),
  },
  SECONDARY_KEY_REQUIRED: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: inEveryVersion("MPI-005", {
      et: "Andmete ümberkrüpteerimiseks on vaja teisest HSM-i võtit.",
      en: "Re-encrypting the data takes a secondary HSM key, and there is none.",
    }),
  },
  INDEX_INCONSISTENT: {
    system: "MPI",
    status: GrpcStatus.INTERNAL,
    issueType: "exception",
    versions: inEveryVersion("MPI-006", {
      et: "Patsiendiindeks on vastuoluline: sama paar {system, value} esineb mitu korda.",
      en: "The patient index is inconsistent: the same pair {system, value} is there more than once.",
    }),
  },
  XML_MALFORMED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "structure",
    versions: inEveryVersion("MPI-007", {
      et: "XML-i parsimine ebaõnnestus.",
      en: "The XML could not be parsed.",
    }),
  },
  INPUT_INVALID: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "invalid",
    versions: since150(
      "MPI-096",
      {
        et: "Teenuse sisend ei ole korrektne. ${message}",
        en: "The input of the service is not valid. ${message}",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
  JOB_TYPE_UNKNOWN: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: wordedByVersion(
      "MPI-100",
      {
        et: "Tundmatu taustatöö tüüp '${type}'.",
        en: "There is no background job of type '${type}'.",
      },
      { et: "Tundmatu töö tüüp '${type}'.", en: "There is no job of type '${type}'." },
    ),
  },
  PATIENT_DECEASED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "informational",
    severity: "warning",
    versions: inEveryVersion("MPI-101", {
      et: "Patsient on surnud; vastuse andmed võivad kajastada tema eluajal kehtinud seisu.",
      en: "The patient is deceased; the answer may show what held during the patient's life.",
    }),
  },
  FHIR_SERVER_ERROR: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "invalid",
    versions: inEveryVersion("MPI-400", {
      et: "FHIR-serveri üldine viga.",
      en: "General error of the FHIR server.",
    }),
  },
} as const satisfies Readonly<Record<string, CodedMeaning>>;
