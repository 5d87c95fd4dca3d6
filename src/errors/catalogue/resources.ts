// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import { type CodedMeaning, inEveryVersion, since150, wordedByVersion } from "./entry.ts";

/** Resources of the index: found or not, their profiles, the elements of a patient, marital status. */
export const resourceMeanings = {
  PATIENT_NOT_FOUND: {
    system: "MPI",
    status: GrpcStatus.NOT_FOUND,
    issueType: "not-found",
    versions: inEveryVersion("MPI-021", { et: "Patsienti ei leitud.", en: "The patient was not found." }),
  },
  PROFILE_NOT_SUPPORTED: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: wordedByVersion(
      "MPI-023",
      {
        et: "FHIR-i profiil ${profile} ei ole lubatud või seda ei toetata.",
        en: "The FHIR profile ${profile} is not allowed or not supported.",
      },
      { et: "FHIR-i profiil ${profile} ei ole lubatud.", en: "The FHIR profile ${profile} is not allowed." },
    ),
  },
  PROFILE_MISSING: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "required",
    versions: inEveryVersion("MPI-024", { et: "FHIR-i profiil puudub.", en: "The FHIR profile is missing." }),
  },
  MARITAL_STATUS_WITHOUT_RELATIONSHIP: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: inEveryVersion("MPI-034", {
      et: "Perekonnaseisu ei saa salvestada: patsiendi ja teise isiku vahel ei ole seost.",
      en: "The marital status cannot be saved: the patient and the other person are not related.",
    }),
  },
  ESTONIAN_PATIENT_ELEMENT_FIXED: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: since150(
      "MPI-071",
      {
        et: "Eesti isikukoodiga patsiendil ei saa muuta surmaaega, sünniaega, sugu, nime, aktiivsust ega isikukoodi.",
        en: "Death date, birth date, sex, name, active status and personal code of a patient with an Estonian personal code cannot be changed.",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
  PATIENT_RESOURCE_NOT_FOUND: {
    system: "MPI",
    status: GrpcStatus.NOT_FOUND,
    issueType: "not-found",
    versions: since150(
      "MPI-072",
      {
        et: "Ressurssi Patient id-ga ${id} ei leitud.",
        en: "There is no Patient resource with id ${id}.",
      },
      { nearest: "PATIENT_NOT_FOUND" },
    ),
  },
  RELATED_PERSON_NOT_FOUND: {
    system: "MPI",
    status: GrpcStatus.NOT_FOUND,
    issueType: "not-found",
    versions: since150(
      "MPI-073",
      {
        et: "Ressurssi RelatedPerson id-ga ${id} ei leitud.",
        en: "There is no RelatedPerson resource with id ${id}.",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
  OBSERVATION_NOT_FOUND: {
    system: "MPI",
    status: GrpcStatus.NOT_FOUND,
    issueType: "not-found",
    versions: since150(
      "MPI-074",
      {
        et: "Ressurssi Observation id-ga ${id} ei leitud.",
        en: "There is no Observation resource with id ${id}.",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
  HISTORY_ENTRY_NOT_FOUND: {
    system: "MPI",
    status: GrpcStatus.NOT_FOUND,
    issueType: "not-found",
    versions: since150(
      "MPI-079",
      { et: "Ajaloo kirjet ei leitud.", en: "The history has no such entry." },
      { nearest: "PATIENT_NOT_FOUND" },
    ),
  },
  PERSON_ABSENT_FROM_RR: {
    system: "MPI",
    status: GrpcStatus.NOT_FOUND,
    issueType: "not-found",
    versions: since150(
      "MPI-089",
      {
        et: "Esitatud isikukoodiga isikut rahvastikuregistris ei ole.",
        en: "The population register has no person with the given personal code.",
      },
      { nearest: "PATIENT_NOT_FOUND", nearestInChain: "RR_INTEGRATION_FAILED" },
    ),
  },
  LANGUAGE_CODE_SYSTEM_UNKNOWN: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: since150(
      "MPI-093",
      {
        et: "Tundmatu keelte koodisüsteem '${codeSystem}'.",
        en: "The code system of languages '${codeSystem}' is not known.",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
  SEX_UNKNOWN: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: since150(
      "MPI-094",
      { et: "Tundmatu sugu ${code}.", en: "The sex ${code} is not known." },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
} as const satisfies Readonly<Record<string, CodedMeaning>>;
