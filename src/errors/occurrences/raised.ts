import { by } from "./occurrence.ts";
import { raisedByRegisters } from "./raised-by-registers.ts";

const patientBody = "POST /Patient, PUT /Patient/{id}";
const patientChange = "PUT /Patient/{id}";
const personBody = "POST and PUT of Patient, RelatedPerson";
const contactBody = "POST /RelatedPerson, PUT /RelatedPerson/{id}";
const statusBody = "POST /Observation, PUT /Observation/{id}";
const dependentBody = "POST and PUT of RelatedPerson, Observation";
const dependentSearch = "GET /RelatedPerson?… and /Observation?…";
const anyBody = "POST and PUT of a resource";
const anyChange = "PUT of a resource";
const anySearch = "GET /{type}?…, POST /{type}/_search, Patient/$foreign";
const patientSearch = "GET /Patient?…, POST /Patient/_search";
const links = "POST /Patient/$link";
const unlinks = "POST /Patient/$unlink";
const linkage = `${links} and $unlink`;
const anyRequest = "Any request";

/** What requests meet, by the subject of the rule. */
export const raised = {
  ...by("Any request without an access token, or with a bad one", [
    "TOKEN_MISSING",
    "TOKEN_REFUSED",
    "TOKEN_REPEATED",
    "TOKEN_OF_ANOTHER_USER",
  ]),
  ...by("Any request without a token's role: MPI-044 in 1.1.1, MPI-403 in 1.5.0", ["AUTHOR_ROLE_MISSING"]),
  ...by("Any request without all of its x-road headers, or with headers that differ", [
    "AUTHOR_IDENTIFIER_MISSING",
    "AUTHOR_INSTITUTION_MISSING",
    "USER_HEADER_MISSING",
    "REQUEST_ID_HEADER_MISSING",
    "AUTHOR_DIFFERS_FROM_USER",
  ]),
  ...by("Any request of an author whom the population register does not know", [
    "AUTHOR_ANONYMOUS",
    "AUTHOR_PERSONAL_CODE_INVALID",
    "AUTHOR_UNKNOWN_IN_RR",
  ]),
  ...by("POST /Patient", ["PATIENT_ALREADY_EXISTS"]),
  ...by(patientBody, [
    "IDENTIFIERS_OF_SEVERAL_PATIENTS",
    "IDENTIFIER_REQUIRED",
    "ESTONIAN_PATIENT_NOT_CREATABLE",
    "PATIENT_PERSONAL_CODE_INVALID",
    "DOCUMENT_NEEDS_NATIONAL_CODE",
    "LANGUAGE_CODE_SYSTEM_UNKNOWN",
    "COUNTRY_CODE_UNKNOWN",
    "ADDRESS_TYPE_NOT_ALLOWED",
    "ADDRESS_USE_NOT_ALLOWED",
    "ADDRESS_COUNTRY_MISSING",
    "ADDRESS_ALREADY_PRESENT",
    "DEATH_BEFORE_BIRTH",
    "PROFILE_ELEMENT_COUNT",
    "PROFILES_CONTRADICT",
  ]),
  ...by("POST and PUT of Patient, Observation", ["PROFILE_VALUE_NOT_ALLOWED"]),
  ...by(patientChange, ["ESTONIAN_PATIENT_ELEMENT_FIXED", "IDENTIFIER_REMOVED", "IDENTIFIER_CHANGED"]),
  ...by(personBody, [
    "IDENTIFIER_SYSTEM_UNKNOWN",
    "IDENTIFIER_SYSTEM_PREFIX_WRONG",
    "INTERNAL_IDENTIFIER_NOT_ACCEPTED",
    "SEX_UNKNOWN",
    "TELECOM_SYSTEM_UNKNOWN",
    "TELECOM_USE_UNKNOWN",
    "TELECOM_VALUE_INVALID",
    "DATE_AHEAD",
  ]),
  ...by(contactBody, [
    "CONTACT_KIND_UNKNOWN",
    "CONTACT_ALREADY_PRESENT",
    "CONTACT_IS_PATIENT",
    "TOO_MANY_CONTACTS",
  ]),
  ...by(statusBody, ["MARITAL_STATUS_WITHOUT_RELATIONSHIP"]),
  ...by(dependentBody, ["REFERENCE_INVALID"]),
  ...by("POST /RelatedPerson, POST /Observation", ["TOO_MANY_DEPENDENTS"]),
  ...by(`${linkage}, $match, $foreign, $validate, an id that is empty`, ["PARAMETER_REQUIRED"]),
  ...by(links, ["LINK_TO_SELF", "PRIMARY_PATIENT_UNKNOWN", "SECONDARY_PATIENT_ESTONIAN"]),
  ...by(`${links}, 1.5.0`, ["SECONDARY_ALREADY_LINKED"]),
  ...by(`${links}, 1.1.1`, ["SOURCE_ALREADY_LINKED", "TARGET_PATIENT_NOT_ACTIVE"]),
  ...by(`${unlinks}, 1.5.0`, ["PATIENTS_NOT_LINKED"]),
  ...by(`${unlinks}, 1.1.1`, ["PATIENTS_NOT_LINKED_DIRECTLY", "TARGET_PATIENT_ALREADY_ACTIVE"]),
  ...by(`${dependentBody}; ${dependentSearch}; ${linkage}`, ["PATIENT_NOT_FOUND", "IDENTIFIER_OF_NOBODY"]),
  ...by(`${dependentSearch}; ${linkage}`, ["IDENTIFIER_OF_SEVERAL"]),
  ...by("/Patient/{id}, its history and versions", ["PATIENT_RESOURCE_NOT_FOUND"]),
  ...by("/RelatedPerson/{id}, its history and versions", ["RELATED_PERSON_NOT_FOUND"]),
  ...by("GET and PUT /RelatedPerson/{id}, the version of its deletion", ["RELATED_PERSON_DELETED"]),
  ...by("/Observation/{id}, its history and versions", ["OBSERVATION_NOT_FOUND"]),
  ...by("GET and PUT /Observation/{id}, the version of its deletion", ["OBSERVATION_DELETED"]),
  ...by("GET /{type}/{id}/_history/{version}", ["HISTORY_ENTRY_NOT_FOUND"]),
  ...by(anySearch, [
    "SEARCH_PARAMETERS_UNSUITABLE",
    "TOO_MANY_RESULTS",
    "SORT_NOT_ALLOWED",
    "PARAMETER_SINGLE_VALUED",
    "PARAMETER_REPEATED",
  ]),
  ...by(`${anySearch} by est/ni or its OID`, ["REQUEST_PERSONAL_CODE_INVALID"]),
  ...by(patientSearch, ["BIRTHDATE_FORMAT_WRONG", "PATIENT_IDENTIFIER_LIMIT_EXCEEDED"]),
  ...by(anyBody, [
    "ELEMENT_REPEATED_TOO_OFTEN",
    "VALUE_NOT_ALLOWED",
    "PERIOD_REVERSED",
    "INVARIANT_BROKEN",
    "PROFILE_MISSING",
    "PROFILE_NOT_SUPPORTED",
    "PROFILE_ELEMENT_REQUIRED",
    "PROFILE_ELEMENT_NOT_ALLOWED",
    "LANGUAGE_TAG_MALFORMED",
    "RESOURCE_SUBSETTED",
    "JSON_MALFORMED",
    "NESTING_TOO_DEEP",
    "CONTAINED_TYPE_WRONG",
    "ELEMENT_UNKNOWN",
    "ELEMENT_MISSING",
    "ELEMENT_EMPTY",
    "PRIMITIVE_INVALID",
    "CHOICE_AMBIGUOUS",
    "EXTENSION_AMBIGUOUS",
    "NULL_NOT_ALLOWED",
    "ARRAYS_NOT_PARALLEL",
  ]),
  ...by(
    anyBody,
    [
      "BODY_MISSING",
      "RESOURCE_TYPE_WRONG",
      "ELEMENT_DUPLICATED",
      "ELEMENT_TYPE_WRONG",
      "MEDIA_TYPE_UNSUPPORTED",
      "COMPRESSION_UNSUPPORTED",
      "BODY_TOO_LARGE",
    ],
    "HTTP",
  ),
  ...by(
    `${anyBody} in XML`,
    ["XML_MALFORMED", "ELEMENT_OUT_OF_ORDER", "NAMESPACE_WRONG", "TEXT_NOT_ALLOWED"],
    "HTTP",
  ),
  ...by("Any message", ["MESSAGE_UNDECODABLE"], "gRPC"),
  ...by(anyChange, ["ID_DIFFERS"]),
  ...by(`${anyChange}, DELETE, with If-Match, If-None-Match or If-Unmodified-Since (the etag of a message)`, [
    "VERSION_CONFLICT",
  ]),
  ...by("If-None-Exist, PUT /{type}?…, criteria of transactions", ["CONDITION_NOT_SELECTIVE"]),
  ...by("PUT /{type}?… with If-Match, must_exist in transactions", ["CONDITION_FITS_NOTHING"]),
  ...by("A transaction", ["RESOURCE_REPEATED", "REFERENCE_UNRESOLVED"]),
  ...by("A transaction", ["ENTRY_NAMED_TWICE"], "gRPC"),
  ...by("PATCH", ["PATCH_MALFORMED", "PATCH_NOT_APPLICABLE"], "HTTP"),
  ...by(
    "If-Match, or If-None-Match of a write, that is no entity tag; HTTP/1.1 without one well-formed Host",
    ["HEADER_MALFORMED"],
    "HTTP",
  ),
  ...by("Parameters of histories, _pretty, _total; a Timestamp that is none", ["PARAMETER_MALFORMED"]),
  ...by("GET /{type}/_history with a token from before the database was put back", ["FEED_PLACE_GONE"]),
  ...by("A path that is not there", ["ROUTE_UNKNOWN"], "HTTP"),
  ...by("A method that a path does not offer", ["INTERACTION_NOT_OFFERED"], "HTTP"),
  ...by("/{version}/fhir, x-mpi-version", ["VERSION_UNKNOWN"]),
  ...by("Accept or _format without FHIR JSON and FHIR XML", ["NOT_ACCEPTABLE"], "HTTP"),
  ...by(
    anyRequest,
    ["ADDRESS_MALFORMED", "REQUEST_UNREADABLE", "HEADERS_TOO_LARGE", "REQUEST_TOO_SLOW"],
    "HTTP",
  ),
  ...by(`${anyRequest}, while the core, its database or the keys of the token issuer are away`, [
    "SERVICE_UNAVAILABLE",
  ]),
  ...by(`${anyRequest} of a caller who sends too many, or to a process that has too many`, [
    "TOO_MANY_REQUESTS",
  ]),
  ...by(`${anyRequest} that takes longer than its caller waits`, ["DEADLINE_EXCEEDED"], "HTTP"),
  ...by(`${anyRequest} to a core that is older than its caller's contract`, ["NOT_IMPLEMENTED"]),
  ...by(`${anyRequest} that the caller's role does not grant`, ["INTERACTION_NOT_ALLOWED"]),
  ...by("Roles that reach their own record: any request about another", ["PATIENT_ACCESS_DENIED"]),
  ...by("A resource whose sealed identifiers were tampered with", ["INDEX_DECRYPTION_FAILED"]),
  ...by(`${anyRequest}, when something fails that nobody expected`, ["INTERNAL_ERROR"]),
  ...by("DuplicateReviewService: DismissPossibleDuplicate of linked patients", ["DUPLICATES_LINKED"], "gRPC"),
  ...by("JobService: StartJob, ListJobs", ["JOB_TYPE_UNKNOWN"], "gRPC"),
  ...by("JobService: StartJob of reencrypt-index", ["SECONDARY_KEY_REQUIRED"], "gRPC"),
  ...by("JobService: GetJob, WatchJob, CancelJob", ["JOB_NOT_FOUND"], "gRPC"),
  ...by("JobService: CancelJob of standing work", ["JOB_STANDING"], "gRPC"),
  ...raisedByRegisters,
} as const;
