// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import { type CodedMeaning, inEveryVersion, since150, until111 } from "./entry.ts";

/** Contact persons, and the linking of patients. */
export const relationMeanings = {
  CONTACT_KIND_UNKNOWN: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "code-invalid",
    versions: inEveryVersion("MPI-018", {
      et: "Tundmatu patsiendi kontaktisiku liik '${code}'.",
      en: "The kind of contact person '${code}' is not known.",
    }),
  },
  CONTACT_ALREADY_PRESENT: {
    system: "MPI",
    status: GrpcStatus.ALREADY_EXISTS,
    issueType: "duplicate",
    versions: inEveryVersion("MPI-041", {
      et: "Patsiendil on sama identifikaatori ja seosega kontaktisik juba olemas.",
      en: "The patient already has a contact person with this identifier and relationship.",
    }),
  },
  TOO_MANY_CONTACTS: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: inEveryVersion("MPI-042", {
      et: "Patsiendil ei tohi olla üle ${max} kontaktisiku.",
      en: "A patient may not have more than ${max} contact persons.",
    }),
  },
  PRIMARY_PATIENT_UNKNOWN: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: since150(
      "MPI-035",
      {
        et: "Patsientide sidumine ebaõnnestus: peamine patsient ei tohi olla tundmatu.",
        en: "The patients were not linked: the primary patient must not be an unknown one.",
      },
      { nearest: "TARGET_PATIENT_NOT_ACTIVE" },
    ),
  },
  TARGET_PATIENT_NOT_ACTIVE: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: until111(
      "MPI-035",
      { et: "Sihtpatsient peab olema aktiivne.", en: "The target patient must be active." },
      { nearest: "PRIMARY_PATIENT_UNKNOWN" },
    ),
  },
  SECONDARY_ALREADY_LINKED: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: since150(
      "MPI-036",
      {
        et: "Patsientide sidumine ebaõnnestus: teisene patsient on juba teise patsiendiga seotud.",
        en: "The patients were not linked: the secondary patient is already linked to another one.",
      },
      { nearest: "SOURCE_ALREADY_LINKED" },
    ),
  },
  SOURCE_ALREADY_LINKED: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: until111(
      "MPI-036",
      { et: "Lähtepatsient on juba seotud.", en: "The source patient is already linked." },
      { nearest: "SECONDARY_ALREADY_LINKED" },
    ),
  },
  TARGET_PATIENT_ALREADY_ACTIVE: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: until111(
      "MPI-037",
      { et: "Sihtpatsient on juba aktiivne.", en: "The target patient is already active." },
      { nearest: "PATIENTS_NOT_LINKED" },
    ),
  },
  PATIENTS_NOT_LINKED: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: since150(
      "MPI-038",
      {
        et: "Patsientide lahtisidumine ebaõnnestus: antud patsiendid ei ole seotud.",
        en: "The patients were not unlinked: the given ones are not linked.",
      },
      { nearest: "PATIENTS_NOT_LINKED_DIRECTLY" },
    ),
  },
  PATIENTS_NOT_LINKED_DIRECTLY: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: until111(
      "MPI-038",
      {
        et: "Lähte- ja sihtpatsient ei ole otse seotud.",
        en: "The source and the target patient are not linked directly.",
      },
      { nearest: "PATIENTS_NOT_LINKED" },
    ),
  },
  SECONDARY_PATIENT_ESTONIAN: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    versions: since150(
      "MPI-065",
      {
        et: "Patsientide sidumine ebaõnnestus: teisesel patsiendil (lähtepatsiendil) ei tohi olla Eesti isikukoodi.",
        en: "The patients were not linked: the secondary (source) patient cannot have an Estonian personal code.",
      },
      { nearest: "FHIR_SERVER_ERROR" },
    ),
  },
} as const satisfies Readonly<Record<string, CodedMeaning>>;
