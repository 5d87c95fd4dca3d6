// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import { type CodedMeaning, inEveryVersion } from "./entry.ts";

/** Telecom values, and addresses as given. */
export const contactPointMeanings = {
  TELECOM_SYSTEM_UNKNOWN: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: inEveryVersion("MPI-008", {
      et: "Tundmatu sidevahendi süsteem '${system}'; lubatud väärtused on ${allowed}.",
      en: "The telecom system '${system}' is not known; allowed are ${allowed}.",
    }),
  },
  COUNTRY_CODE_UNKNOWN: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: inEveryVersion("MPI-009", {
      et: "Tundmatu riigi kood ${code}.",
      en: "The country code ${code} is not known.",
    }),
  },
  ADDRESS_TYPE_NOT_ALLOWED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: inEveryVersion("MPI-011", {
      et: "Aadressi tüüp '${type}' ei ole lubatud; lubatud väärtused on ${allowed}.",
      en: "The address type '${type}' is not allowed; allowed are ${allowed}.",
    }),
  },
  ADDRESS_USE_NOT_ALLOWED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: inEveryVersion("MPI-012", {
      et: "Aadressi kasutusviis '${use}' ei ole lubatud; lubatud väärtused on ${allowed}.",
      en: "The address use '${use}' is not allowed; allowed are ${allowed}.",
    }),
  },
  TELECOM_USE_UNKNOWN: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: inEveryVersion("MPI-013", {
      et: "Tundmatu sidevahendi kasutusviis '${use}'; lubatud väärtused on ${allowed}.",
      en: "The telecom use '${use}' is not known; allowed are ${allowed}.",
    }),
  },
  ADDRESS_COUNTRY_MISSING: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "required",
    versions: inEveryVersion("MPI-019", {
      et: "Aadressil puudub riigi kood.",
      en: "The address has no country code.",
    }),
  },
  TELECOM_VALUE_INVALID: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "value",
    versions: inEveryVersion("MPI-026", {
      et: "Sidevahendi väärtus '${value}' ei vasta reeglitele.",
      en: "The telecom value '${value}' breaks the rules of its kind.",
    }),
  },
  ADDRESS_ALREADY_PRESENT: {
    system: "MPI",
    status: GrpcStatus.ALREADY_EXISTS,
    issueType: "duplicate",
    versions: inEveryVersion("MPI-049", {
      et: "Patsiendil on juba aadress ${addressText}.",
      en: "The patient already has the address ${addressText}.",
    }),
  },
} as const satisfies Readonly<Record<string, CodedMeaning>>;
