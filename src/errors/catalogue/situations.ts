// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import type { Variant } from "./entry.ts";

/** What goes wrong on the way to the index: the detail stands in the diagnostics of FHIR_SERVER_ERROR. */
export const exchangeFaults = {
  ROUTE_UNKNOWN: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.NOT_FOUND,
    issueType: "not-found",
    detail: { et: "Aadressil ${path} ei ole midagi.", en: "There is nothing at ${path}." },
  },
  VERSION_UNKNOWN: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.INVALID_ARGUMENT,
    otherStatuses: [GrpcStatus.NOT_FOUND],
    issueType: "not-supported",
    detail: {
      et: "Lepingu versiooni '${version}' ei ole; olemas on ${allowed}.",
      en: "There is no contract version '${version}'; there are ${allowed}.",
    },
  },
  ADDRESS_MALFORMED: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "invalid",
    detail: { et: "Päringu aadress on vigane.", en: "The address of the request is malformed." },
  },
  REQUEST_UNREADABLE: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "structure",
    detail: { et: "Päring ei ole korrektne HTTP.", en: "The request is not well-formed HTTP." },
  },
  HEADERS_TOO_LARGE: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.INVALID_ARGUMENT,
    http: 431,
    issueType: "too-long",
    detail: {
      et: "Päringu aadress ja päised on kokku liiga pikad.",
      en: "The address and the headers of the request are too long together.",
    },
  },
  REQUEST_TOO_SLOW: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.DEADLINE_EXCEEDED,
    http: 408,
    issueType: "timeout",
    detail: { et: "Päring ei jõudnud õigel ajal kohale.", en: "The request did not arrive in time." },
  },
  NOT_ACCEPTABLE: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.INVALID_ARGUMENT,
    http: 406,
    issueType: "not-supported",
    detail: {
      et: "Vastust ei saa anda küsitud kujul '${requested}'; võimalikud on ${allowed}.",
      en: "The answer cannot be given as '${requested}'; possible are ${allowed}.",
    },
  },
  MEDIA_TYPE_UNSUPPORTED: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.INVALID_ARGUMENT,
    http: 415,
    issueType: "not-supported",
    detail: {
      et: "Päringu sisu tüüpi ${given} ei toetata; võimalikud on ${allowed}.",
      en: "The content type ${given} is not supported; possible are ${allowed}.",
    },
  },
  COMPRESSION_UNSUPPORTED: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.INVALID_ARGUMENT,
    http: 415,
    issueType: "not-supported",
    detail: {
      et: "Päringu sisu on tihendatud viisil ${encoding}, mida ei toetata; saada see tihendamata.",
      en: "The body is compressed by ${encoding}, which is not supported; send it uncompressed.",
    },
  },
  BODY_TOO_LARGE: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.INVALID_ARGUMENT,
    http: 413,
    issueType: "too-long",
    detail: {
      et: "Päringu sisu on suurem kui ${limit} baiti.",
      en: "The body is larger than ${limit} bytes.",
    },
  },
  VERSION_CONFLICT: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.ABORTED,
    issueType: "conflict",
    detail: {
      et: "Ressurss ei ole selline, nagu päring nõuab; kehtiv versioon on ${current}.",
      en: "The resource is not as the request demands; its version now is ${current}.",
    },
  },
  CONDITION_NOT_SELECTIVE: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.FAILED_PRECONDITION,
    http: 412,
    issueType: "multiple-matches",
    detail: {
      et: "Tingimusele vastab mitu ressurssi.",
      en: "More than one resource fits the condition.",
    },
  },
  CONDITION_FITS_NOTHING: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.FAILED_PRECONDITION,
    http: 412,
    issueType: "conflict",
    detail: {
      et: "Päring nõuab kehtivat versiooni (If-Match), kuid tingimusele ei vasta ükski ressurss.",
      en: "The request demands a version that is there (If-Match), but no resource fits the condition.",
    },
  },
  TOO_MANY_REQUESTS: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.RESOURCE_EXHAUSTED,
    issueType: "throttled",
    detail: {
      et: "Päringuid on liiga palju; proovi ${seconds} sekundi pärast uuesti.",
      en: "There are too many requests; try again in ${seconds} seconds.",
    },
  },
  TOKEN_MISSING: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.UNAUTHENTICATED,
    issueType: "security",
    detail: { et: "Päringul puudub pääsutõend.", en: "The request has no access token." },
  },
  TOKEN_REFUSED: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.UNAUTHENTICATED,
    issueType: "security",
    detail: { et: "Pääsutõend ei kehti.", en: "The access token is not valid." },
  },
  TOKEN_REPEATED: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.UNAUTHENTICATED,
    issueType: "security",
    detail: {
      et: "Päringul on mitu päist 'authorization'.",
      en: "The request has several headers 'authorization'.",
    },
  },
  TOKEN_OF_ANOTHER_USER: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.UNAUTHENTICATED,
    issueType: "security",
    detail: {
      et: "Pääsutõend ja päis 'x-road-userid' nimetavad eri isikuid.",
      en: "The access token and the header 'x-road-userid' name different persons.",
    },
  },
  CALL_CANCELLED: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.CANCELLED,
    issueType: "transient",
    detail: { et: "Päring katkestati.", en: "The request was cancelled." },
  },
  DEADLINE_EXCEEDED: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.DEADLINE_EXCEEDED,
    issueType: "timeout",
    detail: { et: "Päring ei jõudnud tähtajaks valmis.", en: "The request was not done by its deadline." },
  },
  SERVICE_UNAVAILABLE: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.UNAVAILABLE,
    issueType: "transient",
    detail: {
      et: "Teenus ei ole hetkel kättesaadav; proovi hiljem uuesti.",
      en: "The service is not available at the moment; try again later.",
    },
  },
  NOT_IMPLEMENTED: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.UNIMPLEMENTED,
    issueType: "not-supported",
    detail: { et: "Seda teenust siin ei ole.", en: "This service is not offered here." },
  },
  SERVICE_STOPPING: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.UNAVAILABLE,
    issueType: "transient",
    detail: {
      et: "See teenuse eksemplar lõpetab töö; küsi uuesti.",
      en: "This instance of the service stops; ask again.",
    },
  },
  DUPLICATES_LINKED: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    detail: {
      et: "Patsiendid on seotud üheks isikuks; enne tuleb nad lahti siduda.",
      en: "The patients are linked as one person; they are to be unlinked first.",
    },
  },
  JOB_NOT_FOUND: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.NOT_FOUND,
    issueType: "not-found",
    detail: { et: "Taustatööd ${id} ei ole.", en: "There is no background job ${id}." },
  },
  JOB_STANDING: {
    reportedAs: "FHIR_SERVER_ERROR",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "business-rule",
    detail: {
      et: "Taustatöö ${id} käib seni, kuni teenus töötab; seda ei saa katkestada.",
      en: "The background job ${id} goes on as long as the service does; it cannot be cancelled.",
    },
  },
} as const satisfies Readonly<Record<string, Variant>>;

/** Situations with the code and the text of another meaning, but a status of their own. */
export const situations = {
  INTERACTION_NOT_OFFERED: {
    reportedAs: "INTERACTION_NOT_ALLOWED",
    status: GrpcStatus.UNIMPLEMENTED,
    http: 405,
    issueType: "not-supported",
  },
  RELATED_PERSON_DELETED: {
    reportedAs: "RELATED_PERSON_NOT_FOUND",
    status: GrpcStatus.NOT_FOUND,
    http: 410,
    issueType: "deleted",
  },
  OBSERVATION_DELETED: {
    reportedAs: "OBSERVATION_NOT_FOUND",
    status: GrpcStatus.NOT_FOUND,
    http: 410,
    issueType: "deleted",
  },
} as const satisfies Readonly<Record<string, Variant>>;
